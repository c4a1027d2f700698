// What operators are told by mail, in English as the console is: plain text, and the same as HTML.
import type { Instant } from '../../../core/time.ts';
import { html, markup, outwardLink } from '../../../markup/html.ts';
import type { Message } from '../../../providers/mail/port.ts';
import { INVITATION_DAYS } from './store.ts';

/** What an operator is told. */
export type OperatorMailKind = 'invited' | 'signed_in';

interface Told {
  readonly words: Readonly<Record<string, string>>;
  readonly at: Instant;
  readonly link: string;
  /** The console's. */
  readonly host: string;
  readonly env: 'staging' | 'production';
}

/** The message, without its address. */
export function operatorMessage(
  kind: OperatorMailKind,
  told: Told,
): Omit<Message, 'id' | 'to'> {
  const { link, env } = told;
  const { subject, lines, leads } = kind === 'invited' ? invited(told) : signedIn(told);
  const ends = env === 'staging' ? ['This is a sandbox: nothing in it is real.'] : [];
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font-family:sans-serif;font-size:16px;color:#111827"><h1
 style="font-size:20px">${subject}</h1>
${lines.map((line) => html`<p>${line}</p>
`)}<p>${outwardLink(link, leads)}</p>
${ends.map((line) => html`<p style="color:#4b5563">${line}</p>
`)}</body></html>
`;
  return {
    subject,
    text: `${[...lines, `${leads}: ${link}`, ...ends].join('\n\n')}\n`,
    html: markup(page),
    ...{ fromName: 'Holdfast', replyTo: null, inline: [] },
    // Told by a program: nobody's absence note should answer (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function invited({ host }: Told) {
  return {
    subject: `You are invited to the console at ${host}`,
    lines: [
      'You were made an operator. Open the link, set up an authenticator app, choose a password.',
      `The link works once, within ${INVITATION_DAYS} days. Give it to nobody: whoever opens it ` +
        'first joins in your place.',
      'If you did not expect this, do not open it.',
    ],
    leads: 'Join',
  };
}

function signedIn({ host, words, at }: Told) {
  return {
    subject: `A new sign-in to the console at ${host}`,
    lines: [
      'You signed in from a browser that you had not used before.',
      `Time: ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      `Browser: ${words['browser'] ?? ''}`,
      `Network: ${words['place'] ?? ''}`,
      'If it was you, there is nothing to do.',
      'If it was not you: open the link, sign out everywhere, change the password with which you ' +
        'sign in, and tell an administrator.',
    ],
    leads: 'See and end your sessions',
  };
}

// Sends by SMTP. The library is loaded with the first message. TLS is required unless the server is
// on this machine; a message that takes longer than the limit is tried again later.
import { readFile } from 'node:fs/promises';
import type { Mail, MailOutcome, MailServer, Message } from './port.ts';

/** Where messages go. */
export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else by STARTTLS. */
  readonly secure: boolean;
  /** On this machine: TLS is used where it is offered. */
  readonly isHere: boolean;
  readonly user: string | null;
  readonly passwordFile: string | null;
  readonly from: string;
  /** Milliseconds for a whole message; 30,000. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;

/** The mail server of an installation. */
export function smtpMail(options: SmtpOptions): Mail {
  return { send: (message) => sent(options, message).catch(outcomeOf) };
}

/** A mail server to be tried by its name; null for none. */
export function serverOf(options: SmtpOptions | null): MailServer | null {
  return options && { host: options.host, trouble: () => smtpTrouble(options) };
}

/** What keeps a server from taking messages, as a reason of an outcome; null if nothing. */
async function smtpTrouble(options: SmtpOptions): Promise<string | null> {
  try {
    const transport = await transportOf(options);
    await transport.verify().finally(() => transport.close());
    return null;
  } catch (error) {
    const outcome = outcomeOf(error);
    return outcome.kind === 'accepted' ? null : outcome.reason;
  }
}

async function transportOf(options: SmtpOptions) {
  const { host, port, secure, isHere, user, passwordFile } = options;
  const { timeoutMs = TIMEOUT_MS } = options;
  const pass = passwordFile === null ? '' : (await readFile(passwordFile, 'utf8')).trim();
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...{ host, port, secure, requireTLS: !secure && !isHere },
    tls: { rejectUnauthorized: !isHere },
    ...(user === null ? {} : { auth: { user, pass } }),
    ...{ connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    // Nothing of a message may name a file or an address to be fetched.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
}

async function sent(options: SmtpOptions, message: Message): Promise<MailOutcome> {
  const { from, timeoutMs = TIMEOUT_MS } = options;
  const transport = await transportOf(options);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<MailOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'later', reason: 'timeout' }), timeoutMs);
  });
  const { inline, fromName, replyTo } = message;
  const sending = transport.sendMail({
    messageId: message.id,
    from: { name: oneLine(fromName), address: from },
    to: { name: '', address: message.to },
    ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
    subject: oneLine(message.subject),
    ...{ text: message.text, html: message.html, headers: { ...message.headers } },
    attachments: inline.map(({ cid, mime, bytes }) => {
      return { cid, contentType: mime, content: bytes, filename: false as const };
    }),
  });
  const accepted = sending.then((): MailOutcome => ({ kind: 'accepted' }));
  return Promise.race([accepted, late]).finally(() => {
    clearTimeout(timer);
    transport.close();
  });
}

/** A header is one line, whatever a name holds. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** The classes of mail status (RFC 5321): 4 is temporary; 5 to RCPT is about the address. */
function outcomeOf(error: unknown): MailOutcome {
  const { code = '', responseCode = 0, command = '', message = '' } = error as {
    readonly code?: string;
    readonly message?: string;
    readonly responseCode?: number;
    readonly command?: string;
  };
  const untrusted = code !== 'EAUTH' && UNTRUSTED.test(message) ? 'certificate' : 'connection';
  const reason = WORDS[code] ?? (responseCode > 0 ? `smtp_${responseCode}` : untrusted);
  // A refused login is a setting of ours: the message is not at fault.
  if (responseCode < 500 || code === 'EAUTH' || code === 'ETLS') return { kind: 'later', reason };
  return { kind: command === 'RCPT TO' ? 'bounced' : 'refused', reason };
}

const WORDS: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'timeout',
  EAUTH: 'login',
  ETLS: 'tls',
  EDNS: 'name_not_resolved',
  ENOENT: 'password_file',
};
/** As Node words what is wrong with a certificate: the library keeps the words alone. */
const UNTRUSTED = /certificate|altnames/i;

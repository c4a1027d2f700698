// The error page for people, where programs get the envelope: unknown path, refused page, fault. It
// loads no other file and repeats nothing from the request. [G-72]
import type { IncomingMessage } from 'node:http';
import { html } from '../markup/html.ts';
import { notePage } from '../markup/note-page.ts';
import type { httpRefusals } from './refusals.ts';

/** What is wrong, and what to do about it. */
type Said = readonly [what: string, todo: string];

const AGAIN = 'Wait a moment, then load this page again.';
const SAID: Partial<Readonly<Record<keyof typeof httpRefusals, Said>>> = {
  NOT_FOUND: [
    'There is nothing at this address',
    'The link may be cut off or mistyped. Open it again exactly as you were given it, or go back ' +
      'to where you got it and ask for a new one.',
  ],
  METHOD_NOT_ALLOWED: [
    'This page cannot be opened like this',
    'Go back to where you came from and start again there.',
  ],
  TOO_MANY_REQUESTS: ['Too much was asked at once', AGAIN],
  SERVER_ERROR: ['Something went wrong on our side', AGAIN],
};
const BUSY: Said = ['This page cannot be shown just now', AGAIN];

/** True for a browser opening an address; scripts and programs accept anything or JSON. */
export function wantsPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.accept?.includes('text/html') === true;
}

/** The page for a code; `reference` identifies a fault. */
export function troublePage(code: string, reference: string | null = null): string {
  const [what, todo] = SAID[code as keyof typeof SAID] ?? BUSY;
  const number =
    reference !== null &&
    html`<p class="faint">If it stays so, tell us this: ${reference}</p>
`;
  return notePage(what, todo, number);
}

// The error page for people, where programs get the envelope: unknown path, refused page, fault. It
// loads no other file and repeats nothing from the request. [G-72]
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { html, markup, pageText } from '../markup/html.ts';
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

const LOOK = html`<style>
:root { color-scheme: light dark; }
html { font: 16px/1.5 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
body { margin: 0; background: light-dark(#f6f7f9, #12161c); color: light-dark(#1b2330, #e6eaf0); }
main { max-width: 30rem; margin: 12vh auto 2rem; padding: 2rem; border-radius: 12px;
  background: light-dark(#fff, #1a2029); border: 1px solid light-dark(#d8dde5, #343d4b); }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
p:last-child { margin: 0; }
.faint { color: light-dark(#566072, #a3aebf); font-size: .875rem; }
@media (max-width: 34rem) { main { margin: 1rem; padding: 1.25rem; } }
</style>`;
const STYLE = markup(LOOK).slice('<style>'.length, -'</style>'.length);

/** Headers of the page: no scripts, no other files, no framing. */
export const TROUBLE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; ` +
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

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
  const body = html`<main>
<h1>${what}</h1>
<p>${todo}</p>
${number}</main>`;
  return pageText({ title: what, head: LOOK, body });
}

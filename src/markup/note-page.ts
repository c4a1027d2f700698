// A page that says one thing in two sentences, for a person: it loads no other file.
import { hash } from 'node:crypto';
import { html, markup, pageText, type Frame, type Html } from './html.ts';

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

/** Headers of such a page: no scripts, no other files, no framing. */
export const NOTE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; ` +
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** The page as text; `more` stands below. In English, unless a language is given. */
export function notePage(
  what: string,
  todo: string,
  more: Html | false = false,
  language: Pick<Frame, 'lang' | 'dir'> = {},
): string {
  const body = html`<main>
<h1>${what}</h1>
<p>${todo}</p>
${more}</main>`;
  return pageText({ ...language, title: what, head: LOOK, body });
}

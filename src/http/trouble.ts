// The error page for people, where programs get the envelope: unknown path, refused page, fault. It
// loads no other file and repeats nothing from the request. [G-72]
import type { IncomingMessage } from 'node:http';
import { html } from '../markup/html.ts';
import { notePage } from '../markup/note-page.ts';
import { acceptedLanguage, ENGLISH, say, textsOf, type Key } from '../texts/index.ts';
import type { httpRefusals } from './refusals.ts';

/** What is wrong, and what to do about it. */
type Said = readonly [what: Key, todo: Key];

const SAID: Partial<Readonly<Record<keyof typeof httpRefusals, Said>>> = {
  NOT_FOUND: ['note.not_found', 'note.not_found_todo'],
  METHOD_NOT_ALLOWED: ['note.not_allowed', 'note.not_allowed_todo'],
  TOO_MANY_REQUESTS: ['note.too_many', 'note.again'],
  SERVER_ERROR: ['note.fault', 'note.again'],
};
const BUSY: Said = ['note.busy', 'note.again'];

/** True for a browser opening an address; scripts and programs accept anything or JSON. */
export function wantsPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.accept?.includes('text/html') === true;
}

/** The page for a code, in a language the browser asks for; `reference` identifies a fault. */
export function troublePage(
  code: string,
  reference: string | null = null,
  headers: IncomingMessage['headers'] = {},
): string {
  const lang = acceptedLanguage(headers['accept-language'] ?? '') ?? ENGLISH;
  const texts = textsOf(lang);
  const [what, todo] = SAID[code as keyof typeof SAID] ?? BUSY;
  const number =
    reference !== null &&
    html`<p class="faint">${say(texts, 'note.reference', { reference })}</p>
`;
  const { direction: dir } = texts.about;
  return notePage(say(texts, what), say(texts, todo), number, { lang, dir });
}

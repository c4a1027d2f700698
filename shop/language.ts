// The language in which Holdfast speaks to a person; the shop's own words stay English.
import { html, type Html } from './html.ts';
import { chosen, type Visit } from './http.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'nl', 'pl', 'ja', 'ar'];

/** The language chosen in this browser; '' leaves it to Holdfast. */
export function languageOf(visit: Visit): string {
  return known(chosen(visit, 'language'));
}

/** The tag, if it is one that is offered; else ''. */
export function known(tag: string): string {
  return LANGUAGES.includes(tag) ? tag : '';
}

/** A link to a page of Holdfast, which is then read in this language. */
export function inLanguage(link: string, language: string): string {
  if (language === '' || link === '') return link;
  const url = new URL(link);
  url.searchParams.set('lang', language);
  return url.href;
}

/** The way in which a page in this language is read. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** The switch. */
export function languageSwitch(language: string, path: string): Html {
  const named = (tag: string): string =>
    new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return html`<form class="language" method="post" action="/language">
<input type="hidden" name="back" value="${path}">
<label for="language">Pay in</label>
<select id="language" name="language" data-test="language">
<option value="">your browser’s language</option>${LANGUAGES.map(
    (tag) => html`<option value="${tag}" lang="${tag}"${
      tag === language ? html` selected` : ''
    }>${named(tag)}</option>`,
  )}</select>
<button data-test="speak">Set</button></form>`;
}

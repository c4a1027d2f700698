// The one way in which the server makes markup: a template tag that escapes every value, and the
// frame around every page. It imports nothing, so that whoever answers people can use it.

const MADE = Symbol('made by the tag');

/** Markup, made by the tag only. */
export interface Html {
  readonly [MADE]: string;
}

/** What a template accepts. Null, undefined and false show nothing. */
export type Shown = Html | string | number | bigint | null | undefined | false | readonly Shown[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const ADDRESS = /\s(?:href|src|action|formaction)="$/;
/** Our own paths, queries and fragments, and pictures; never another site or a scheme. */
const OWN = /^(?:\/(?![/\\])|[?#]|data:image\/(?:png|jpeg);base64,[A-Za-z0-9+/]+=*$)/;
const UNQUOTED = /<[^<>]*=\s*$/;

/**
 * Makes markup. Every value is escaped, except markup of this tag. Throws if a URL value is not one
 * of our paths or an attribute is not in double quotes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Shown[]): Html {
  let text = strings[0] as string;
  values.forEach((value, at) => {
    if (UNQUOTED.test(text)) throw new Error('a value stands in an attribute without quotes');
    if (ADDRESS.test(text) && !OWN.test(String(value))) {
      throw new Error('an address leads away from our pages');
    }
    text += textOf(value) + (strings[at + 1] as string);
  });
  return { [MADE]: text };
}

function textOf(value: Shown): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value !== 'object') {
    return String(value).replace(/[&<>"']/g, (found) => ENTITIES[found] as string);
  }
  return MADE in value ? value[MADE] : value.map(textOf).join('');
}

/** The markup as text. */
export function markup(made: Html): string {
  return made[MADE];
}

/** A link to one of our pages by its whole address: mails have no page that it could be beside. */
export function outwardLink(address: string, words: string): Html {
  if (!/^https?:\/\//.test(address)) throw new Error('an address of no page');
  return { [MADE]: ['<a href="', textOf(address), '">', textOf(words), '</a>'].join('') };
}

/** One page. */
export interface Frame {
  /** No personal data: titles show in histories and on screens. */
  readonly title: string;
  /** By BCP 47; English without. */
  readonly lang?: string;
  readonly dir?: 'ltr' | 'rtl';
  /** Styles, scripts and what else the head needs. */
  readonly head: Html;
  readonly body: Html;
}

/** The whole page as text. Search engines list none of ours. */
export function pageText({ title, lang = 'en', dir, head, body }: Frame): string {
  return markup(html`<!doctype html>
<html lang="${lang}"${dir && html` dir="${dir}"`}>
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`);
}

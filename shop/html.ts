// HTML templates that escape every value, unless a template made it.

/** HTML that needs no escaping. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: text, HTML, a list of these, or nothing at all. */
export type Part = string | number | Html | null | undefined | false | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** `` html`<p>${text}</p>` ``: safe between tags and in quoted attributes. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(fixed.reduce((text, piece, at) => text + textOf(parts[at - 1]) + piece));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join('');
  if (part === null || part === undefined || part === false) return '';
  return String(part).replace(/[&<>"']/g, (found) => ENTITIES[found] as string);
}

/** Minor units of US dollars as people write them: 24000 is $240.00. */
export function dollars(cents: number): string {
  const [whole = '', rest = ''] = (Math.abs(cents) / 100).toFixed(2).split('.');
  return `${cents < 0 ? '−' : ''}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`;
}

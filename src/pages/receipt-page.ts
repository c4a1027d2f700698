// The page of a receipt, in the look of its tenant and made to be printed: no script and no other
// file.
import { hash } from 'node:crypto';
import { html, markup, pageText, type Html } from '../markup/html.ts';
import { contentPolicy } from '../markup/policy.ts';
import type { ReceiptView, Row, Shop } from '../product/tell/mail/index.ts';
import { say } from '../texts/index.ts';
import type { TenantSettings } from '../product/tenant/settings/index.ts';

const COLOR = /^#[0-9a-f]{6}$/i;
const LOGO = /^data:image\/(?:png|jpeg);base64,[A-Za-z0-9+/]+=*$/;

/** A page with the policy that lets its style through. */
export interface ReceiptPage {
  readonly text: string;
  readonly policy: string;
}

/** The page; `pdf` is the path of the same as a file. */
export function receiptPage(
  view: ReceiptView,
  { look, name, texts, language: lang }: Pick<Shop, 'look' | 'name' | 'texts' | 'language'>,
  pdf: string,
): ReceiptPage {
  const style = styleOf(look);
  const rows = (of: readonly Row[]): Html[] =>
    of.map(([what, value]) => html`<div><dt>${what}</dt><dd>${value}</dd></div>
`);
  const body = html`<main>
<header>${LOGO.test(look.logo) && html`<img src="${look.logo}" alt="${name}">`}
<h1>${view.title}</h1></header>
<dl class="facts">
${rows(view.facts)}</dl>
<dl class="money" aria-label="${say(texts, 'receipt.page_items')}">
${rows([...view.lines, ...view.sums])}<div class="total"><dt>${view.total[0]}</dt>
<dd>${view.total[1]}</dd></div>
${rows(view.methods)}</dl>
${view.ends.map((end) => html`<p class="faint">${end}</p>
`)}<p class="act"><a href="${pdf}">${say(texts, 'receipt.page_pdf')}</a></p>
</main>`;
  const { direction: dir } = texts.about;
  const head = html`<style>${style}</style>`;
  const inside = markup(head).slice('<style>'.length, -'</style>'.length);
  const source = `'sha256-${hash('sha256', inside, 'base64')}'`;
  return {
    text: pageText({ ...{ title: `${view.title} · ${name}`, lang, dir }, head, body }),
    policy: contentPolicy({ 'style-src': source, 'script-src': "'none'", 'form-action': "'none'" }),
  };
}

/** Dark where the reader's device is; paper is white. */
function styleOf({ background_color, primary_color }: TenantSettings['look']): string {
  const around = COLOR.test(background_color) ? background_color : '#ffffff';
  const line = COLOR.test(primary_color) ? primary_color : '#1d4ed8';
  return `
html { font: 16px/1.5 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
body { margin: 0; background: ${around}; color: #1b2330; }
main { box-sizing: border-box; max-width: 38rem; margin: 2rem auto; padding: 2rem;
  background: #fff; border: 1px solid #d8dde5; border-top: 4px solid ${line}; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 1rem; margin: 0 0 1rem; }
img { max-height: 3rem; max-width: 12rem; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
dl { margin: 0 0 1.5rem; }
dl div { display: flex; justify-content: space-between; gap: 1.5rem; padding: .375rem 0;
  border-bottom: 1px solid #e5e7eb; break-inside: avoid; }
dt, dd { margin: 0; overflow-wrap: anywhere; }
dd { text-align: end; }
.facts dt, .faint { color: #4b5563; }
.facts dt { flex: none; }
.money dd { white-space: nowrap; font-variant-numeric: tabular-nums; }
.total { font-weight: 700; border-bottom: 2px solid #1b2330; }
.faint { margin: 0 0 .5rem; font-size: .875rem; overflow-wrap: anywhere; }
.act { margin: 1.5rem 0 0; }
a { color: #1b2330; }
@media (max-width: 40rem) { main { margin: 0; padding: 1.25rem; border-width: 4px 0 0; }
  .facts div { flex-wrap: wrap; gap: 0 1.5rem; }
  .facts dd { margin-inline-start: auto; }
  .facts div:first-child dd { font-size: .875rem; } }
@media print { body { background: #fff; } main { margin: 0; padding: 0; border: 0; }
  .act { display: none; } }
`;
}

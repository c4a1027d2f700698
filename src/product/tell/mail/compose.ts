// Makes a message of what is told: plain text always, and HTML in the tenant's look. Pure.
import { html, markup, outwardLink, type Html } from '../../../markup/html.ts';
import { amountText } from '../../../../texts/amount.ts';
import { say } from '../../../texts/index.ts';
import type { Inline, Message } from '../../../providers/mail/port.ts';
import { amountOf, type Receipt } from '../../money/history/index.ts';
import { endsOf, viewOf, type ReceiptView, type Row, type Shop } from './receipt-view.ts';
import type { MailKind } from './texts.ts';

export type Composed = Omit<Message, 'id' | 'to'>;

/** What a mail says beside the words of its kind. */
export interface Particulars {
  /** Null for what is about no transaction. */
  readonly receipt: Receipt | null;
  /** Values of its texts. */
  readonly values: Readonly<Record<string, string>>;
  /** Where it leads; null: nowhere. */
  readonly link: { readonly words: string; readonly address: string } | null;
}

const LOGO = /^data:(image\/(?:png|jpeg));base64,([A-Za-z0-9+/]+=*)$/;

/** The message of a kind. */
export function compose(kind: MailKind, shop: Shop, { receipt, ...told }: Particulars): Composed {
  const { texts, language: lang } = shop;
  const { locale, direction: dir } = texts.about;
  const total = receipt === null ? '' : amountOf(receipt, receipt.total);
  const amount = amountText(total, locale);
  const values = { ...told.values, shop: shop.name, amount };
  const subject = say(texts, `mail.${kind}_subject`, values);
  const body = say(texts, `mail.${kind}_body`, values);
  const rows = receipt === null ? [] : rowsOf(viewOf(receipt, shop));
  const ends = endsOf(shop);
  const logo = logoOf(shop.look.logo);
  const table = rows.map(([name, value]) => `${name}: ${value}`).join('\n');
  const link = told.link === null ? [] : [`${told.link.words}: ${told.link.address}`];
  const hasLogo = logo.length > 0;
  return {
    subject,
    text: [body, ...(table === '' ? [] : [table]), ...link, ...ends].join('\n\n') + '\n',
    html: markup(page({ subject, body, rows, ends, shop, link: told.link, hasLogo, dir, lang })),
    fromName: shop.fromName || shop.name,
    replyTo: shop.replyTo || null,
    // Told by a program: nobody's absence note should answer (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    inline: logo,
  };
}

function rowsOf({ facts, lines, sums, total, methods }: ReceiptView): Row[] {
  return [...facts, ...lines, ...sums, total, ...methods];
}

/** Mail programs show no data URIs: the picture goes along. */
function logoOf(logo: string): readonly Inline[] {
  const [, mime, text] = LOGO.exec(logo) ?? [];
  if (mime === undefined || text === undefined) return [];
  return [{ cid: 'logo', mime, bytes: Buffer.from(text, 'base64') }];
}

/** Styles stand at each element, and a table holds the rows: what mail programs understand. */
function page(of: {
  readonly subject: string;
  readonly body: string;
  readonly rows: readonly Row[];
  readonly ends: readonly string[];
  readonly shop: Shop;
  readonly link: Particulars['link'];
  readonly hasLogo: boolean;
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
}): Html {
  const { subject, body, rows, ends, shop, link, hasLogo, lang, dir } = of;
  const { background_color: around, primary_color: line } = shop.look;
  const end = dir === 'rtl' ? 'left' : 'right';
  const cell = html`padding:6px 0;border-bottom:1px solid #e5e7eb;vertical-align:top`;
  return html`<!doctype html>
<html lang="${lang}" dir="${dir}"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:${around};font-family:sans-serif;font-size:16px">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;color:#111827;
border-top:4px solid ${line}">
${hasLogo && html`<img src="cid:logo" alt="${shop.name}" style="max-height:48px">`}
<h1 style="font-size:20px;overflow-wrap:anywhere">${subject}</h1>
<p style="overflow-wrap:anywhere">${body}</p>
${rows.length > 0 && html`<table role="presentation" style="width:100%;border-collapse:collapse">
${rows.map(([name, value]) => html`<tr><td style="${cell}">${name}</td>
<td style="${cell};text-align:${end};overflow-wrap:anywhere">${value}</td></tr>
`)}</table>`}
${link !== null && html`<p>${outwardLink(link.address, link.words)}</p>`}
${ends.map((last) => html`<p style="color:#4b5563;font-size:14px">${last}</p>
`)}</div></body></html>
`;
}

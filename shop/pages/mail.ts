// What a person got by mail, as the sandbox captured it.
import type { CapturedMail } from '../../client/generated.ts';
import { html, type Html } from '../html.ts';
import type { Content, Scene } from '../layout.ts';

const LINK = /(https?:\/\/\S+)/;

/** The mails of a person, newest first. */
export function mailPage({ me }: Scene, mails: readonly CapturedMail[]): Content {
  const title = `What ${me.trade === 'buyer' ? 'the buyer' : me.name} got by mail`;
  return {
    title,
    body: html`<h1>${title}</h1>
<p>Holdfast writes to ${me.name} about receipts, refunds and payouts. In the sandbox
nothing is sent: <code>GET /sandbox/mail</code> shows what would be.</p>
<div data-live="mail">${
      mails.length === 0
        ? html`<p class="hint">Nothing yet. Buy something first.</p>`
        : html`<ul class="rows mails">${mails.map(row)}</ul>`
    }</div>`,
  };
}

function row({ subject, to, sent_at, text }: CapturedMail): Html {
  // Split at a group, so every second piece is a link.
  const pieces = text.split(LINK).map((piece, at) =>
    at % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : piece,
  );
  return html`<li><details data-test="a-mail"><summary><span class="row-name" dir="auto">${subject}
</span> <span class="hint">to ${to}, <time datetime="${sent_at}">${sent_at.slice(11, 16)}
UTC</time></span></summary><div class="mail-text" dir="auto">${pieces}</div></details></li>`;
}

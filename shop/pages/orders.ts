// The list of a person's orders, and one order: its state, where its money is, what can be done
// next and by whom.
import { pictureOf } from '../art.ts';
import { feeOf } from '../goods.ts';
import { dollars, html, type Html, type Part } from '../html.ts';
import { become, type Content, type Scene } from '../layout.ts';
import { inLanguage } from '../language.ts';
import type { OpenLink, Standing } from '../orders.ts';
import type { Person } from '../people.ts';
import { stage, tokenField, wayButtons } from './parts.ts';
import { planned } from './plans.ts';

const STAGES: Readonly<Record<Standing['stage'], string>> = {
  unpaid: 'Not paid yet',
  processing: 'Payment in progress',
  failed: 'Not paid',
  paid: 'Paid',
  held: 'Paid, held',
  shipped: 'Shipped, paid out',
  cancelled: 'Cancelled, refunded',
};

/** Stages in which there is a receipt. */
const RECEIPTS: Readonly<Record<'buyer' | 'seller', readonly Standing['stage'][]>> = {
  buyer: ['paid', 'held', 'shipped', 'cancelled'],
  seller: ['paid', 'shipped'],
};

/** Everything around one order. */
export interface OrderView {
  readonly standing: Standing;
  readonly buyer: Person;
  readonly seller: Person;
  /** Spendable minor units of both. */
  readonly purses: readonly [number, number];
  readonly link: OpenLink | null;
  /** Where the hosted page sends the buyer. */
  readonly returnTo: string;
}

/** All orders of a person. */
export function ordersPage({ me }: Scene, standings: readonly Standing[]): Content {
  const bought = standings.filter(({ order }) => order.buyer === me.account_id);
  const sold = standings.filter(({ order }) => order.buyer !== me.account_id);
  const sells = me.trade !== 'buyer' && me.trade !== 'visitor';
  return {
    title: 'Orders',
    body: html`<h1>Orders of ${me.name}</h1><div data-live="orders">
${sells ? list('Sold', sold, 'No sales yet.') : ''}
${list('Bought', bought, 'No orders yet. Choose something in the shop.')}</div>`,
  };
}

function list(title: string, standings: readonly Standing[], empty: string): Html {
  const rows = standings.map(
    ({ order: { id, product }, stage: now }) => html`<li><a href="/order/${id}"
 data-test="order-${id}">${pictureOf(product.id)}<span class="row-name">${product.name}</span>
<span>${dollars(product.price)}</span><span class="badge ${now}">${STAGES[now]}</span></a></li>`,
  );
  return html`<section><h2>${title}</h2>
${rows.length === 0 ? html`<p class="hint">${empty}</p>` : html`<ul class="rows">${rows}</ul>`}
</section>`;
}

/** One order. */
export function orderPage({ me, language }: Scene, view: OrderView, widget: string): Content {
  const { standing, link } = view;
  const { product, id } = standing.order;
  const open = standing.stage === 'unpaid' && me === view.buyer ? link : null;
  const framed = open !== null && open.way !== 'away';
  return {
    title: product.name,
    ...(framed ? { script: `${widget}/ui/v1/widget` } : {}),
    body: html`<div class="order-head">${pictureOf(product.id)}<div><h1>${product.name}</h1>
<p class="line">Order ${id} · ${dollars(product.price)} · ${view.buyer.name} buys from
${view.seller.name}</p></div></div>
${open === null ? '' : opened(view, open, language)}
<div data-live="order" data-test="stage-${standing.stage}">${progress(standing)}
${open === null ? next(me, view) : ''}${papers(me, view)}
${money(view)}</div>`,
  };
}

function opened(
  { standing: { order }, returnTo }: OrderView,
  { way, redirect: link }: OpenLink,
  language: string,
): Html {
  const redirect = inLanguage(link, language);
  const { price } = order.product;
  if (way === 'away') {
    const target = new URL(redirect);
    target.searchParams.set('returnUrl', returnTo);
    return html`<div class="box"><p>You pay on a page hosted by Holdfast at
<code>${target.host}</code>, which sends you back here.</p>
<p><a class="button primary" href="${target.href}" data-test="go-away">Go to the payment
page</a></p></div>`;
  }
  const details = { transaction_amount: price, currency: 'USD' };
  return stage({
    flow: way === 'here' ? 'checkout' : 'payment-selection',
    redirect,
    config: way === 'here' ? { hideSKUs: true } : { transactionDetails: details },
    report: `/order/${order.id}/result`,
  });
}

function progress({ order, stage: now }: Standing): Html {
  const names = order.escrow
    ? ['Ordered', 'Paid, held', now === 'cancelled' ? 'Cancelled' : 'Shipped']
    : ['Ordered', 'Paid'];
  const ended = now === 'shipped' || now === 'cancelled';
  const reached = ended ? 2 : now === 'paid' || now === 'held' ? 1 : 0;
  return html`<ol class="progress" aria-label="Progress">${names.map(
    (name, at) => html`<li class="${at <= reached ? 'reached' : ''}"${
      at === reached ? html` aria-current="step"` : ''
    }>${name}</li>`,
  )}</ol>${reached === 0 ? html`<p class="badge ${now}">${STAGES[now]}</p>` : ''}`;
}

/** What the person can do now, in a sentence and a button. */
function next(me: Person, view: OrderView): Html {
  const { standing, buyer, seller } = view;
  const { order, stage: now, reason, confirm } = standing;
  const here = `/order/${order.id}`;
  const other = me === buyer ? seller : buyer;
  const as = (label: string): Html => become(other, here, label, 'become-other');
  const say = (...parts: Part[]): Html => html`<div class="box">${parts}</div>`;
  switch (now) {
    case 'unpaid':
    case 'failed':
      if (me !== buyer) return say(html`<p>${buyer.name} has not paid yet.</p>`);
      return say(
        html`<p>${reason === '' ? 'It is waiting to be paid.' : `${reason} Try another way.`}</p>
<form method="post" action="${here}/open">${tokenField()}${wayButtons()}</form>`,
      );
    case 'processing':
      return say(
        html`<p>The payment is in progress; this page updates when the event arrives.</p>`,
        confirmation(me === buyer ? confirm : ''),
      );
    case 'held':
      return held(me, view, as);
    default:
      return say(
        html`<p>${endOf(now, view)}</p>`,
        html`<div class="ways">${as(`View as ${other.name}`)}${me === seller
          ? html`<a class="button" href="/account#cash-out">Cash out</a>`
          : ''}</div>`,
      );
  }
}

function endOf(now: Standing['stage'], { standing: { order }, buyer, seller }: OrderView): string {
  if (order.product.plan !== undefined) return 'Everything is settled; nothing is held any more.';
  if (now === 'cancelled') return `Cancelled. ${buyer.name} sees a charge and a refund.`;
  if (now === 'shipped') return `It is on its way, and ${seller.name} has been paid.`;
  const tax = order.product.tax === undefined ? '' : ' and the VAT';
  return `${seller.name} has been paid, less the shop’s 10 %${tax}.`;
}

/** The receipt and the mails of an order that was paid, for who is asking. */
function papers(me: Person, { standing: { order, stage: now }, buyer }: OrderView): Html | '' {
  if (!RECEIPTS[me === buyer ? 'buyer' : 'seller'].includes(now)) return '';
  return html`<p class="ways"><a class="button" href="/order/${order.id}/receipt"
 data-test="receipt">Receipt</a>
<a class="button" href="/mail" data-test="mail">What ${
    me === buyer ? 'the buyer' : me.name
  } got by mail</a></p>`;
}

function confirmation(address: string): Html | '' {
  if (address === '') return '';
  return html`<p><a class="button primary" href="${address}" target="_blank" rel="noopener"
 data-test="confirm">Confirm at your bank</a></p>`;
}

function held(me: Person, view: OrderView, as: (label: string) => Html): Html {
  const { standing, seller } = view;
  const { id, product } = standing.order;
  if (product.plan !== undefined) return planned(me, standing, [view.buyer, seller], as);
  const cancel = html`<form method="post" action="/order/${id}/cancel">${tokenField()}
<button data-test="cancel">${me === seller ? 'I cannot deliver: cancel' : 'Cancel'}</button>
</form>`;
  if (me !== seller) {
    return html`<div class="box"><p>Your money is held: ${seller.name} gets it after shipping.
</p><div class="ways">${as(`Switch to ${seller.name}`)}${cancel}</div></div>`;
  }
  return html`<div class="box"><p>The buyer has paid, and the money is held for you. Ship it,
then press Shipped.</p><div class="ways">
<form method="post" action="/order/${id}/shipped">${tokenField()}
<button class="primary" data-test="shipped">Shipped</button></form>${cancel}</div></div>`;
}

/** Where the money of an order is. */
function money({ standing, buyer, seller, purses: [left, right] }: OrderView): Html {
  const { order, stage: now } = standing;
  const { price, tax = 0 } = order.product;
  const fee = feeOf(order.product);
  const paid = now === 'paid' || now === 'shipped';
  return html`<section class="money" aria-label="Where the money is"><h2>Where the money is</h2>
<dl><div><dt>${buyer.name}’s wallet</dt><dd data-test="money-buyer">${dollars(left)}</dd></div>
<div class="${standing.held > 0 ? 'full' : ''}"><dt>Held for this order</dt>
<dd data-test="money-held">${dollars(standing.held)}</dd></div>
<div class="${paid ? 'full' : ''}"><dt>${seller.name}’s wallet</dt>
<dd data-test="money-seller">${dollars(right)}</dd></div></dl>
<p class="hint">Of ${dollars(price)}, ${tax > 0 ? `${dollars(tax)} is VAT, ` : ''}${seller.name}
gets ${dollars(price - tax - fee)} and Kiln &amp; Thread keeps ${dollars(fee)}. Cards
are charged outside of these wallets.</p></section>`;
}

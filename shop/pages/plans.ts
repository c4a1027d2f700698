// What can be done with an order that is paid by a plan, while money is held.
import type { Product } from '../goods.ts';
import { html, type Html } from '../html.ts';
import type { Order } from '../orders.ts';
import type { Person } from '../people.ts';
import { tokenField } from './parts.ts';

/** The plan of an order that holds money, with a way to its page at Holdfast. */
export function planned(
  me: Person,
  order: Order,
  [buyer, seller]: readonly [Person, Person],
  as: (label: string) => Html,
): Html {
  const here = `/order/${order.id}`;
  const { plan } = order.product;
  const sells = me === seller;
  const say = sells
    ? 'Say what you delivered, and read what comes next, on a page of Holdfast.'
    : 'Read what is held and what comes next, and release it, on a page of Holdfast.';
  return html`<div class="box"><p>${say}</p><div class="ways">
<form method="post" action="${here}/money">${tokenField()}
<button class="primary" data-test="money">Where the money is</button></form>
${as(`Switch to ${sells ? buyer.name : seller.name}`)}
${plan === 'deposit' ? week(here) : ''}</div>
${sells && Array.isArray(plan) ? settling(here, plan) : ''}</div>`;
}

function week(here: string): Html {
  return html`<form method="post" action="${here}/week">${tokenField()}
<button data-test="week">Sandbox: a week passes</button></form>`;
}

/** One form for each stretch: what is chosen must outlast that the page is drawn anew. */
function settling(here: string, plan: Exclude<Product['plan'], 'deposit' | undefined>): Html {
  return html`<p>Something went wrong? The shop can settle what is still held of a stretch.</p>
${plan.map(({ name }, at) => html`<form method="post" action="${here}/settle" class="ways">
${tokenField()}<input type="hidden" name="name" value="${name}"><span>${name}</span>
<button name="how" value="half" data-test="half-${String(at)}">Meet halfway</button>
<button name="how" value="back" data-test="back-${String(at)}">Give it back</button></form>`)}`;
}

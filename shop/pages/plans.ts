// What can be done with an order that is paid by a plan, while money is held.
import { html, type Html } from '../html.ts';
import type { Standing } from '../orders.ts';
import type { Person } from '../people.ts';
import { tokenField } from './parts.ts';

/** The plan of an order that holds money, with a way to its page at Holdfast. */
export function planned(
  me: Person,
  { order, disputed }: Pick<Standing, 'order' | 'disputed'>,
  [buyer, seller]: readonly [Person, Person],
  as: (label: string) => Html,
): Html {
  const here = `/order/${order.id}`;
  const { plan } = order.product;
  const sells = me === seller;
  const say = sells
    ? 'Say what you delivered, and read what comes next, on a page of Holdfast.'
    : 'Read what is held and what comes next, and release it, on a page of Holdfast.';
  const wrong = disputed !== null
    ? 'You disagree about it, so nothing moves. Say what happened, offer or accept a split there.'
    : 'Something went wrong? Say so there: then nothing moves until it is settled.';
  return html`<div class="box"><p>${say}</p><p data-test="wrong">${wrong}</p><div class="ways">
<form method="post" action="${here}/money">${tokenField()}
<button class="primary" data-test="money">Where the money is</button></form>
${as(`Switch to ${sells ? buyer.name : seller.name}`)}
${plan === 'deposit' ? week(here) : ''}</div>
${disputed === null ? '' : settling(here, disputed)}</div>`;
}

function week(here: string): Html {
  return html`<form method="post" action="${here}/week">${tokenField()}
<button data-test="week">Sandbox: a week passes</button></form>`;
}

/** One form for each decision: what is chosen must outlast that the page is drawn anew. */
function settling(here: string, held: readonly string[]): Html {
  const decide = (name: string, label: string, test: string): Html =>
    html`<form method="post" action="${here}/settle">${tokenField()}
<input type="hidden" name="name" value="${name}">
<button data-test="${test}">${label}</button></form>`;
  const halves = held.map((name, at) => {
    return decide(name, `Halfway about “${name}”, the rest back`, `half-${at}`);
  });
  return html`<p>If you do not agree, the shop decides. Sandbox: play its staff.</p>
<div class="ways">${halves}${decide('', 'Give everything back', 'back')}</div>`;
}

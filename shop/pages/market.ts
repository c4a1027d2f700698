// The shop's front page, and the page of one product with the ways to buy it.
import { pictureOf } from '../art.ts';
import { PRODUCTS, type Product } from '../goods.ts';
import { dollars, html, type Html } from '../html.ts';
import { become, type Content, type Scene } from '../layout.ts';
import type { People, Person } from '../people.ts';
import { tokenField, wayButtons } from './parts.ts';

interface Story {
  readonly title: string;
  readonly hint: string;
  readonly who: Person;
  readonly to: string;
}

function stories({ fixed: [bea, sam, sue] }: People): readonly Story[] {
  return [
    {
      title: 'Buy without leaving the page',
      hint: 'Switch to Bea, open the mug, press “Pay here”. The widget opens in this shop.',
      who: bea,
      to: '/product/ash-mug',
    },
    {
      title: 'Buy on a hosted page',
      hint: 'Buy the bowls with “Pay on a hosted page”: you leave, pay, and come back.',
      who: bea,
      to: '/product/breakfast-bowls',
    },
    {
      title: 'Hold the money in escrow',
      hint: 'Pay the moon jar “when it has shipped”. Then switch to Sam and press “Shipped”.',
      who: bea,
      to: '/product/moon-jar',
    },
    {
      title: 'Choose how to pay first',
      hint: 'Buy the cushion: Bea only picks a card or her wallet, and the shop’s server pays.',
      who: bea,
      to: '/product/linen-cushion',
    },
    {
      title: 'Verify an identity',
      hint: 'Sue is not verified yet. Switch to Sue and press “Verify your identity”.',
      who: sue,
      to: '/account#identity',
    },
    {
      title: 'Cash out',
      hint: 'After a sale by Sam: switch to Sam, press “Cash out”, then approve the payout.',
      who: sam,
      to: '/account#cash-out',
    },
    {
      title: 'See the transactions',
      hint: 'All purchases, sales and payouts, in the transaction history of Holdfast.',
      who: bea,
      to: '/account#history',
    },
    {
      title: 'Verify a business',
      hint: 'Register a new visitor; in “Your account”, enter a company and its people.',
      who: bea,
      to: '/visitor',
    },
    ...plannedStories(bea),
  ];
}

function plannedStories(bea: Person): readonly Story[] {
  return [
    {
      title: 'Commission something in stretches',
      hint: 'Order the service. Release the test pieces; as Sam, meet halfway, or give back.',
      who: bea,
      to: '/product/dinner-service',
    },
    {
      title: 'Leave a deposit',
      hint: 'Pay the deposit for the loom, let a week pass, and it is yours again.',
      who: bea,
      to: '/product/loom-deposit',
    },
  ];
}

/** The front page. */
export function market({ me, people }: Scene): Content {
  return {
    title: 'Ceramics and textiles',
    body: html`<section class="hero"><h1>Made by hand, paid by handshake</h1>
<p>Eight things by three makers. The money is play money, all else is real. You are ${me.name};
use the bar above to switch.</p>
<p><a class="button primary" href="#try">New here? Ten things to try</a></p></section>
<section aria-labelledby="shelf"><h2 id="shelf">On the shelf</h2>
<ul class="shelf">${PRODUCTS.map((product) => card(product, people))}</ul></section>
<section aria-labelledby="try"><h2 id="try">Ten things to try</h2>
<ol class="stories">${stories(people).map(
      ({ title, hint, who, to }, at) => html`<li><h3>${title}</h3><p>${hint}</p>
${become(who, to, `Try as ${who.name}`, `story-${at + 1}`)}</li>`,
    )}</ol></section>`,
  };
}

function card(product: Product, people: People): Html {
  const { id, name, line, price } = product;
  const seller = people.seller(product.seller);
  return html`<li class="card"><a href="/product/${id}" data-test="product-${id}">${pictureOf(id)}
<span class="card-name">${name}</span></a>
<p class="line">${line}</p>
<p class="price"><strong>${dollars(price)}</strong> <span>by ${seller.name}</span></p>
</li>`;
}

/** One product. */
export function productPage({ me, people }: Scene, product: Product): Content {
  const seller = people.seller(product.seller);
  const { id, name, line, story, price, tax = 0 } = product;
  return {
    title: name,
    body: html`<article class="product">
<div class="frame">${pictureOf(id)}</div>
<div><h1>${name}</h1><p class="line">${line}</p>
<p class="price big"><strong>${dollars(price)}</strong>
<span>by ${seller.name}, who ${people.about(seller)}</span></p>
${tax > 0 ? html`<p class="line">The price holds ${dollars(tax)} VAT.</p>` : ''}
<p>${story}</p>
${
  me === seller
    ? html`<div class="box"><p>This is your own product, ${me.name}. Only others can buy it.</p>
${become(people.fixed[0], `/product/${id}`, 'Buy as Bea', 'become-buyer')}</div>`
    : buyForm(product, seller)
}</div></article>`,
  };
}

function buyForm({ id, plan }: Product, seller: Person): Html {
  if (plan !== undefined) {
    return html`<form method="post" action="/orders" class="buy">${tokenField()}
<input type="hidden" name="product" value="${id}">
<p>The money is held (escrow): you choose how to pay, and the shop sets what is released when.</p>
<div class="ways"><button name="way" value="choose" class="primary" data-test="pay-choose">Choose
how to pay</button></div></form>`;
  }
  const held = id === 'moon-jar';
  const checked = (yes: boolean): Html | '' => (yes ? html` checked` : '');
  return html`<form method="post" action="/orders" class="buy">${tokenField()}
<input type="hidden" name="product" value="${id}">
<fieldset><legend>When is ${seller.name} paid?</legend>
<label><input type="radio" name="escrow" value="no" data-test="at-once"${checked(!held)}>
At once</label>
<label><input type="radio" name="escrow" value="yes" data-test="escrow"${checked(held)}>
When it has shipped <span class="hint">The money is held until then (escrow).</span></label>
</fieldset>
${wayButtons()}</form>`;
}

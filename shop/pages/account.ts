// A person's own page (wallet, identity, payout, history), the page of a flow, the form of a new
// visitor, and the error page.
import type { KYCStatus, Payout } from '../../client/generated.ts';
import { headingOf, OWN_FLOWS, type OpenFlow, type OwnFlow } from '../flows.ts';
import { dollars, html, type Html } from '../html.ts';
import { inLanguage } from '../language.ts';
import { become, type Content, type Scene } from '../layout.ts';
import type { People, Person } from '../people.ts';
import { stage, tokenField } from './parts.ts';

/** What is read for a person's own page. */
export interface AccountView {
  readonly kyc: KYCStatus;
  /** Minor units restricted until the identity is accepted. */
  readonly restricted: number;
  readonly payouts: readonly Payout[];
}

const STATES: Readonly<Record<KYCStatus['state'], string>> = {
  NODATA: 'Not verified yet.',
  NONE: 'Not verified.',
  PROCESSING: 'The documents are being checked.',
  MANUAL_REVIEW: 'The documents are in manual review.',
  ACCEPT: 'Verified.',
  DENY: 'The documents were not accepted. You can try again.',
  CANCEL: 'Not completed. You can try again.',
  'SYSTEM-CANCELLED': 'Expired. You can try again.',
  REVERIFY: 'Must be verified again.',
};
/** States in which the person has nothing to do. */
const SETTLED = ['ACCEPT', 'PROCESSING', 'MANUAL_REVIEW'];
const WAITING = ['FUNDS-IN-ESCROW', 'FUNDS-IN-ESCROW-ON-HOLD', 'ESCROW-TRANSFER-INITIATED'];
const PAYOUTS: Readonly<Record<string, string>> = {
  SUCCESS: 'Arrived at the bank',
  FAILED: 'Could not be sent; the money is in the wallet again',
  'CREDIT-TRANSFER-INITIATED': 'On its way to the bank',
};

/** A person's own page. */
export function accountPage({ me, people, wallet }: Scene, view: AccountView): Content {
  const { kyc, restricted } = view;
  const kept = `${dollars(restricted)} more will be available once the identity is verified.`;
  return {
    title: `${me.name}’s account`,
    body: html`<h1>${me.name}’s account</h1><div data-live="account">
<section class="box"><h2>Wallet</h2><p class="price big"><strong>${dollars(wallet)}</strong></p>
${restricted > 0 ? html`<p>${kept}</p>` : ''}
</section>
<section class="box" id="identity"><h2>Identity</h2>
<p data-test="kyc-${kyc.state}">${STATES[kyc.state]}</p>
${SETTLED.includes(kyc.state) ? '' : ownForm('kyc', 'primary')}${review(kyc)}</section>
${company(me, view)}${cashOut(me, people, wallet, view)}
<section class="box" id="history"><h2>History</h2>
<p>Purchases, sales, payouts and refunds, shown by Holdfast.</p>${ownForm('txnhistory', '')}
</section></div>`,
  };
}

/** Newcomers may sell as a company; the makers here sell as themselves. */
function company({ trade }: Person, { kyc: { state } }: AccountView): Html | '' {
  if (trade !== 'visitor') return '';
  return html`<section class="box" id="business"><h2>A business</h2>
<p>You can verify a company instead of a person. Each person behind it gets a personal link, and the
state above follows the company.</p>
${ownForm('kyb', state === 'ACCEPT' ? '' : 'primary')}</section>
`;
}

function cashOut(me: Person, people: People, wallet: number, view: AccountView): Html {
  const verified = view.kyc.state === 'ACCEPT';
  const { payouts } = view;
  const sam = people.seller('sam');
  const empty = wallet === 0 ? 'It is empty now.' : '';
  return html`<section class="box" id="cash-out"><h2>Cash out</h2>
<p>Send the wallet balance to a bank account. ${empty}
${verified ? '' : ' You will be asked to verify your identity first.'}</p>
<div class="ways">${ownForm('payout', verified ? 'primary' : '')}
${me === sam ? '' : become(sam, '/account#cash-out', 'Switch to Sam (verified)', 'become-sam')}
</div>${payouts.length === 0 ? '' : html`<ul class="rows">${payouts.map(payoutRow)}</ul>`}
</section>`;
}

function ownForm(flow: OwnFlow, look: string): Html {
  return html`<form method="post" action="/flow"><input type="hidden" name="flow" value="${flow}">
${tokenField()}<button class="${look}" data-test="own-${flow}">${OWN_FLOWS[flow]}</button></form>`;
}

/** Ends a waiting check, since a sandbox's vendor may take for ever; but no manual review. */
function review({ state, kyc_id }: KYCStatus): Html | '' {
  if (state === 'MANUAL_REVIEW') {
    return html`<p class="hint">In the sandbox the reviewer is you: decide in the console. Its
address and sign-in code were printed by <code>npm start</code>.</p>`;
  }
  if (state !== 'PROCESSING' || kyc_id === '') return '';
  return html`<form method="post" action="/identity" class="ways">${tokenField()}
<input type="hidden" name="kyc" value="${kyc_id}">
<button name="event" value="accept" data-test="review-accept">Sandbox: accept</button>
<button name="event" value="deny" data-test="review-deny">Sandbox: deny</button></form>`;
}

function payoutRow(payout: Payout): Html {
  const { payout_status_id: id, status, amount, net_amount } = payout;
  const waits = WAITING.includes(status);
  return html`<li data-test="payout-${status}"><span class="row-name">${dollars(amount)}</span>
<span>${dollars(net_amount)} arrive</span>
<span class="badge">${waits ? 'Waiting to be sent' : (PAYOUTS[status] ?? status)}</span>
${waits
    ? html`<form method="post" action="/payout">${tokenField()}
<button name="payout" value="${id}" class="primary" data-test="bank-yes">Sandbox: approve payout
</button></form>`
    : ''}</li>`;
}

/** The page of one of a person's own flows. */
export function flowPage(
  { language }: Scene,
  { token, flow, config, redirect: link }: OpenFlow,
  widget: string,
): Content {
  const redirect = inLanguage(link, language);
  return {
    title: headingOf(flow),
    script: `${widget}/ui/v1/widget`,
    body: html`<h1>${headingOf(flow)}</h1>
${stage({ flow, redirect, config, report: `/flow/${token}/result` })}
<p><a href="/account">Back to the account</a></p>`,
  };
}

/** The form of a new visitor. */
export function visitorPage(): Content {
  return {
    title: 'A new visitor',
    body: html`<h1>A new visitor</h1>
<p>This shop creates a Holdfast account for you with <code>registerAccount</code>. Its wallet is
empty; you add a test card when you pay.</p>
<form method="post" action="/visitor" class="box">${tokenField()}
<label for="name">Your name</label>
<input id="name" name="name" required maxlength="60" autocomplete="off" data-test="visitor-name">
<button class="primary" data-test="register">Register</button></form>`,
  };
}

/** What went wrong, in a sentence. */
export function troublePage(sentence: string, codes: readonly string[]): Content {
  const said = html`<p class="hint">Holdfast said <code>${codes.join(', ')}</code>.</p>`;
  return {
    title: 'That did not work',
    body: html`<h1>That did not work</h1>
<p class="trouble" role="alert" data-test="trouble">${sentence}</p>
${codes.length === 0 ? '' : said}
<p><a href="/">To the shop</a></p>`,
  };
}

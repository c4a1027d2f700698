// The pages where a person enters a card or bank account, or logs in to a wallet. The HTML is
// complete without a script.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { html, type Html } from '../../../markup/html.ts';
import type { SandboxProcessorServices } from './endpoint.ts';
import { accountNumber, entryOfSecret, TEST_ROUTING, type Entry } from './entry.ts';
import { PLAIN, sendPage } from './page.ts';
import { TEST_ACCOUNTS } from './test-accounts.ts';
import { TEST_CARDS } from './test-cards.ts';

interface Params {
  readonly Params: { readonly secret: string };
}

/** Registers the pages. */
export function entryPages(app: FastifyInstance, { db }: SandboxProcessorServices): void {
  app.get<Params>('/entry/:secret', async ({ params }, reply) => {
    const entry = await entryOfSecret(db, params.secret);
    if (entry === null || entry.kind === 'paypal') return sendUnknown(reply);
    return sendEntry(reply, entry, params.secret);
  });
  app.get<Params>('/login/:secret', async ({ params }, reply) => {
    const entry = await entryOfSecret(db, params.secret);
    if (entry?.kind !== 'paypal') return sendUnknown(reply);
    return sendEntry(reply, entry, params.secret);
  });
}

/** Sends the page for an unknown address. */
export function sendUnknown(reply: FastifyReply): FastifyReply {
  const body = notice('This page does not exist', 'Go back and start again.');
  const bare = { look: PLAIN, script: null, data: {}, ancestors: [] };
  return sendPage(reply, { title: 'Nothing here', ...bare, body, status: 404 });
}

const TITLES = {
  card: 'Add a card',
  bank: 'Add a bank account',
  paypal: 'Sandbox wallet login',
} as const;
const FORMS = { card: cardForm, bank: bankForm, paypal: loginForm } as const;

function sendEntry(reply: FastifyReply, entry: Entry, secret: string): FastifyReply {
  const { kind, parent_origin, return_url, ancestors } = entry;
  const over = entry.state === 'open' && entry.ended;
  const state = over ? 'ended' : entry.state;
  const data = {
    kind,
    state,
    post: `/entry/${secret}`,
    ...(return_url === null ? { parent: parent_origin } : { return: return_url }),
  };
  return sendPage(reply, {
    title: TITLES[kind],
    look: entry,
    script: kind === 'paypal' ? 'login.js' : 'entry.js',
    data,
    body: state === 'open' ? FORMS[kind](entry) : ENDINGS[state],
    ancestors: kind === 'paypal' ? [] : [parent_origin, ...ancestors],
  });
}

/** A page with a message only. */
export function notice(heading: string, sentence: string): Html {
  return html`<div class="notice"><h1>${heading}</h1><p>${sentence}</p></div>`;
}

const ENDINGS = {
  stored: notice('Done', 'It was saved.'),
  cancelled: notice('Nothing was saved', 'You can close this page.'),
  ended: notice('This page has expired', 'Go back and start again.'),
} as const;

interface Field {
  readonly id: string;
  readonly label: string;
  readonly test: string;
  readonly placeholder: string;
  readonly autocomplete?: string;
  /** Characters at most. */
  readonly most: number;
}

/** Digits are written left to right in every language. */
function field({ id, label, test, placeholder, autocomplete = 'off', most }: Field): Html {
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${id}" type="text" inputmode="numeric" dir="ltr" required
 spellcheck="false" autocorrect="off" autocapitalize="off" aria-describedby="${id}-error"
 placeholder="${placeholder}" data-test="${test}"
 autocomplete="${autocomplete}" maxlength="${most}">
<p class="error" id="${id}-error" aria-live="polite"></p>
</div>`;
}

function actions(test: string, save: string): Html {
  return html`<p class="error" id="form-error" role="alert" tabindex="-1"></p>
<div class="actions">
<button type="button" id="cancel" data-test="${test}-cancel">Cancel</button>
<button type="submit" id="save" class="main" data-test="${test}-save">${save}</button>
</div>`;
}

/** Test values to click, so that nobody has to look a number up. */
function hints(rows: readonly { fill: string; text: string; says: string }[]): Html {
  const items = rows.map(
    ({ fill, text, says }) => html`<li>
<button type="button" class="hint" data-fill="${fill}" data-test="hint">${text}</button>
<span>${says}</span></li>
`,
  );
  return html`<section class="hints" aria-label="Test numbers">
<p>Sandbox: no real money moves. Choose one to try it.</p>
<ul>
${items}</ul>
</section>`;
}

const CARD_HINTS: Readonly<Record<string, string>> = {
  visa: 'works',
  card_declined: 'is declined',
  three_d_secure: 'asks for 3-D Secure',
};

function cardForm({ label }: Entry): Html {
  const rows = TEST_CARDS.filter(({ name }) => name in CARD_HINTS).map(({ name, number }) => ({
    fill: number,
    text: number.replace(/(.{4})(?=.)/g, '$1 '),
    says: CARD_HINTS[name] ?? '',
  }));
  return html`<h1>Add a card</h1>
<form id="form" novalidate>
<div class="numbered">
${field({
  id: 'number',
  label: 'Card number',
  test: 'card-number',
  placeholder: '1234 1234 1234 1234',
  autocomplete: 'cc-number',
  most: 23,
})}
<output id="brand" for="number"></output>
</div>
<div class="pair">
${field({
  id: 'expiry',
  label: 'Expiry date',
  test: 'card-expiry',
  placeholder: 'MM / YY',
  autocomplete: 'cc-exp',
  most: 9,
})}
${field({
  id: 'cvc',
  label: 'Security code',
  test: 'card-cvc',
  placeholder: '3 or 4 digits',
  autocomplete: 'cc-csc',
  most: 4,
})}
</div>
${actions('card', 'Save card')}
</form>
${hints(rows)}
${promise('card number', label)}`;
}

/** In a word or two; docs/test-cards.md has the rest. */
const ACCOUNT_HINTS: Readonly<Record<string, string>> = {
  bank: 'works',
  bank_settled: 'works, payments at once',
  bank_slow: 'stays pending',
  bank_closed: 'is closed; payouts fail',
  bank_returned: 'works, may be returned later',
  paypal: 'Works',
  paypal_refused: 'Is declined',
};

function bankForm({ label }: Entry): Html {
  const rows = TEST_ACCOUNTS.filter(({ brand }) => brand === 'ach').map(({ name, last4 }) => ({
    fill: accountNumber(last4),
    text: accountNumber(last4),
    says: ACCOUNT_HINTS[name] ?? '',
  }));
  return html`<h1>Add a bank account</h1>
<form id="form" novalidate>
${field({
  id: 'routing',
  label: 'Routing number',
  test: 'bank-routing',
  placeholder: TEST_ROUTING,
  most: 9,
})}
${field({
  id: 'account',
  label: 'Account number',
  test: 'bank-account',
  placeholder: accountNumber('6789'),
  most: 17,
})}
${actions('bank', 'Save account')}
</form>
${hints(rows)}
${promise('account number', label)}`;
}

function promise(what: string, label: string): Html {
  return html`<p class="promise">Only the payment processor receives your ${what}.
${label} never sees it.</p>`;
}

function loginForm({ label }: Entry): Html {
  const accounts = TEST_ACCOUNTS.filter(({ brand }) => brand === 'paypal');
  const choices = accounts.map(
    ({ name, last4 }, at) => html`<label class="choice">
<input type="radio" name="login" value="${name}"${at === 0 && html` checked`}
 data-test="login-account">
<span><b>Account ending in ${last4}</b><br>${ACCOUNT_HINTS[name]}</span></label>
`,
  );
  return html`<div class="card">
<h1>Sandbox wallet login</h1>
<p>${label} wants to save your wallet, so that you can pay with it and receive payouts.
This is a sandbox: there is no password, and no real money moves.</p>
<form id="form" novalidate>
<fieldset><legend>Log in as</legend>
${choices}</fieldset>
<p class="error" id="form-error" role="alert" tabindex="-1"></p>
<div class="actions">
<button type="button" id="cancel" data-test="login-refuse">Refuse</button>
<button type="submit" id="save" class="main" data-test="login-approve">Approve</button>
</div>
</form>
</div>`;
}

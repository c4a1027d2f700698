// The pages where a person enters a card or bank account, or logs in to a wallet. The HTML is
// complete without a script.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html, type Html } from '../../../markup/html.ts';
import { say, type Key } from '../../../texts/index.ts';
import type { SandboxProcessorServices } from './endpoint.ts';
import { accountNumber, entryOfSecret, TEST_ROUTING, type Entry } from './entry.ts';
import { plainLook, scriptTexts, sendPage, voiceOf, type Voice } from './page.ts';
import { TEST_ACCOUNTS } from './test-accounts.ts';
import { TEST_CARDS } from './test-cards.ts';

interface Params {
  readonly Params: { readonly secret: string };
}

/** Registers the pages. */
export function entryPages(app: FastifyInstance, { db }: SandboxProcessorServices): void {
  const serve = (path: string, login: boolean): void => {
    app.get<Params>(`${path}/:secret`, async (request, reply) => {
      const { secret } = request.params;
      const entry = await entryOfSecret(db, secret);
      if (entry === null || (entry.kind === 'paypal') !== login) return sendUnknown(request, reply);
      return sendEntry(reply, voiceOf(request), entry, secret);
    });
  };
  serve('/entry', false);
  serve('/login', true);
}

/** Sends the page for an unknown address. */
export function sendUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const voice = voiceOf(request);
  const title = say(voice.texts, 'note.not_found');
  const body = notice(title, say(voice.texts, 'entry.start_again'));
  const bare = { look: plainLook(voice), script: null, data: {}, ancestors: [] };
  return sendPage(reply, { voice, title, ...bare, body, status: 404 });
}

const TITLES = {
  card: 'methods.add_card',
  bank: 'methods.add_bank',
  paypal: 'entry.login_title',
} as const;
const FORMS = { card: cardForm, bank: bankForm, paypal: loginForm } as const;

/** What the script says, by the names of its fields and by codes of refusals. */
const SAID = {
  ...{ number_missing: 'entry.number_missing', number_wrong: 'entry.number_wrong' },
  ...{ expiry_missing: 'entry.expiry_missing', expiry_wrong: 'entry.expiry_wrong' },
  ...{ cvc_missing: 'entry.cvc_missing', routing_missing: 'entry.routing_missing' },
  ...{ account_missing: 'entry.account_missing', CARD_DATE_PAST: 'entry.CARD_DATE_PAST' },
  CARD_NOT_A_TEST_CARD: 'entry.CARD_NOT_A_TEST_CARD',
  ACCOUNT_NOT_A_TEST_ACCOUNT: 'entry.ACCOUNT_NOT_A_TEST_ACCOUNT',
  ENTRY_ENDED: 'methods.PAYMENT_METHOD_ENTRY_EXPIRED',
  ...{ stored: 'entry.stored_ending', cancelled: 'entry.cancelled' },
  ...{ unreachable: 'page.unreachable', odd: 'page.odd' },
} as const satisfies Readonly<Record<string, Key>>;

function sendEntry(
  reply: FastifyReply,
  voice: Voice,
  entry: Entry,
  secret: string,
): FastifyReply {
  const { kind, parent_origin, return_url, ancestors } = entry;
  const over = entry.state === 'open' && entry.ended;
  const state = over ? 'ended' : entry.state;
  const data = {
    kind,
    state,
    post: `/entry/${secret}`,
    texts: scriptTexts(voice, SAID),
    ...(return_url === null ? { parent: parent_origin } : { return: return_url }),
  };
  return sendPage(reply, {
    voice,
    title: say(voice.texts, TITLES[kind]),
    look: entry,
    script: kind === 'paypal' ? 'login.js' : 'entry.js',
    data,
    body: state === 'open' ? FORMS[kind](voice, entry) : ending(voice, ENDINGS[state]),
    ancestors: kind === 'paypal' ? [] : [parent_origin, ...ancestors],
  });
}

/** A page with a message only. */
export function notice(heading: string, sentence: string): Html {
  return html`<div class="notice"><h1>${heading}</h1><p>${sentence}</p></div>`;
}

const ENDINGS = {
  stored: ['page.done', 'entry.stored'],
  cancelled: ['entry.cancelled', 'page.ended'],
  ended: ['entry.ended', 'entry.start_again'],
} as const satisfies Readonly<Record<string, readonly [Key, Key]>>;

function ending({ texts }: Voice, [heading, sentence]: readonly [Key, Key]): Html {
  return notice(say(texts, heading), say(texts, sentence));
}

interface Field {
  readonly id: string;
  readonly label: Key;
  readonly test: string;
  readonly placeholder: string;
  readonly autocomplete?: string;
  /** Characters at most. */
  readonly most: number;
}

/** Digits are written left to right in every language. */
function field({ texts }: Voice, of: Field): Html {
  const { id, label, test, placeholder, autocomplete = 'off', most } = of;
  return html`<div class="field">
<label for="${id}">${say(texts, label)}</label>
<input id="${id}" name="${id}" type="text" inputmode="numeric" dir="ltr" required
 spellcheck="false" autocorrect="off" autocapitalize="off" aria-describedby="${id}-error"
 placeholder="${placeholder}" data-test="${test}"
 autocomplete="${autocomplete}" maxlength="${most}">
<p class="error" id="${id}-error" aria-live="polite"></p>
</div>`;
}

function actions({ texts }: Voice, test: string, save: Key): Html {
  return html`<p class="error" id="form-error" role="alert" tabindex="-1"></p>
<div class="actions">
<button type="button" id="cancel" data-test="${test}-cancel">${say(texts, 'page.cancel')}</button>
<button type="submit" id="save" class="main" data-test="${test}-save">${say(texts, save)}</button>
</div>`;
}

/** Test values to click, so that nobody has to look a number up. */
function hints({ texts }: Voice, rows: readonly { fill: string; text: string; says: Key }[]): Html {
  const items = rows.map(
    ({ fill, text, says }) => html`<li>
<button type="button" class="hint" data-fill="${fill}" data-test="hint">${text}</button>
<span>${say(texts, says)}</span></li>
`,
  );
  return html`<section class="hints" aria-label="${say(texts, 'entry.tests')}">
<p>${say(texts, 'entry.tests_lead')}</p>
<ul>
${items}</ul>
</section>`;
}

const CARD_HINTS: Readonly<Record<string, Key>> = {
  visa: 'entry.test_works',
  card_declined: 'entry.test_declined',
  three_d_secure: 'entry.test_secure',
};

function cardForm(voice: Voice, { label: shop }: Entry): Html {
  const { texts } = voice;
  const rows = TEST_CARDS.flatMap(({ name, number }) => {
    const says = CARD_HINTS[name];
    const text = number.replace(/(.{4})(?=.)/g, '$1 ');
    return says === undefined ? [] : [{ fill: number, text, says }];
  });
  return html`<h1>${say(texts, TITLES.card)}</h1>
<form id="form" novalidate>
<div class="numbered">
${field(voice, {
  id: 'number',
  label: 'entry.number',
  test: 'card-number',
  placeholder: '1234 1234 1234 1234',
  autocomplete: 'cc-number',
  most: 23,
})}
<output id="brand" for="number"></output>
</div>
<div class="pair">
${field(voice, {
  id: 'expiry',
  label: 'entry.expiry',
  test: 'card-expiry',
  placeholder: say(texts, 'entry.expiry_form'),
  autocomplete: 'cc-exp',
  most: 9,
})}
${field(voice, {
  id: 'cvc',
  label: 'entry.cvc',
  test: 'card-cvc',
  placeholder: say(texts, 'entry.cvc_form'),
  autocomplete: 'cc-csc',
  most: 4,
})}
</div>
${actions(voice, 'card', 'entry.save_card')}
</form>
${hints(voice, rows)}
<p class="promise">${say(texts, 'entry.promise_card', { shop })}</p>`;
}

/** In a word or two; docs/test-cards.md has the rest. */
const ACCOUNT_HINTS: Readonly<Record<string, Key>> = {
  bank: 'entry.test_works',
  bank_settled: 'entry.test_at_once',
  bank_slow: 'entry.test_pending',
  bank_closed: 'entry.test_closed',
  bank_returned: 'entry.test_returned',
  paypal: 'entry.test_works',
  paypal_refused: 'entry.test_declined',
};

function bankForm(voice: Voice, { label: shop }: Entry): Html {
  const { texts } = voice;
  const rows = TEST_ACCOUNTS.flatMap(({ brand, name, last4 }) => {
    const says = ACCOUNT_HINTS[name];
    const number = accountNumber(last4);
    return brand !== 'ach' || says === undefined ? [] : [{ fill: number, text: number, says }];
  });
  return html`<h1>${say(texts, TITLES.bank)}</h1>
<form id="form" novalidate>
${field(voice, {
  id: 'routing',
  label: 'entry.routing',
  test: 'bank-routing',
  placeholder: TEST_ROUTING,
  most: 9,
})}
${field(voice, {
  id: 'account',
  label: 'entry.account',
  test: 'bank-account',
  placeholder: accountNumber('6789'),
  most: 17,
})}
${actions(voice, 'bank', 'entry.save_account')}
</form>
${hints(voice, rows)}
<p class="promise">${say(texts, 'entry.promise_account', { shop })}</p>`;
}

function loginForm({ texts }: Voice, { label: shop }: Entry): Html {
  const accounts = TEST_ACCOUNTS.filter(({ brand }) => brand === 'paypal');
  const choices = accounts.map(({ name, last4: digits }, at) => {
    const says = ACCOUNT_HINTS[name];
    return html`<label class="choice">
<input type="radio" name="login" value="${name}"${at === 0 && html` checked`}
 data-test="login-account">
<span><b>${say(texts, 'entry.login_account', { digits })}</b><br>${says && say(texts, says)}</span>
</label>
`;
  });
  return html`<div class="card">
<h1>${say(texts, TITLES.paypal)}</h1>
<p>${say(texts, 'entry.login_lead', { shop })}</p>
<form id="form" novalidate>
<fieldset><legend>${say(texts, 'entry.login_as')}</legend>
${choices}</fieldset>
<p class="error" id="form-error" role="alert" tabindex="-1"></p>
<div class="actions">
<button type="button" id="cancel" data-test="login-refuse">${say(texts, 'entry.refuse')}</button>
<button type="submit" id="save" class="main"
 data-test="login-approve">${say(texts, 'entry.approve')}</button>
</div>
</form>
</div>`;
}

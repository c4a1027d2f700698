// A person's steps for Playwright tests of an integrator's own page, by the test hooks of our
// screens, in the widget's frame or on a hosted page. Imports nothing of Playwright: its Page,
// Frame and FrameLocator satisfy the types here.
import { TEST_BANKS, TEST_CARDS, TEST_ROUTING } from './generated.ts';

/** The part of a Locator that is used. */
export interface Control {
  click(): Promise<void>;
  check(): Promise<void>;
  uncheck(): Promise<void>;
  fill(text: string): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  setInputFiles(
    files: string | TypedFile | readonly string[] | readonly TypedFile[],
  ): Promise<void>;
  count(): Promise<number>;
  isVisible(): Promise<boolean>;
  getAttribute(name: string): Promise<string | null>;
  first(): Control;
  waitFor(options?: { state?: 'visible' | 'hidden'; timeout?: number }): Promise<void>;
}

/** The part of a Page, Frame or FrameLocator that is used. */
export interface Place {
  locator(selector: string): Control;
  frameLocator(selector: string): Place;
}

/** A file as Playwright takes it; `buffer` is Node's Buffer. */
export interface TypedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Uint8Array;
}

/** A sandbox card by name, or what is typed; `expiry` as `MM / YY`. */
export type TypedCard =
  | keyof typeof TEST_CARDS
  | { readonly number: string; readonly expiry?: string; readonly cvc?: string };

const FAR = '12 / 40';
/** Any screen but those shown while something loads. */
const SETTLED = ['wait', 'loading'].map((name) => `:not([data-test="screen-${name}"])`).join('');

/** The widget's flow in a page that called `execute()`; `root` narrows the search. */
export function widgetFrame(page: Place, root = ''): Place {
  return page.frameLocator(`${root} iframe[src*="/ui/appauth/"]`.trim());
}

/** A control or screen by its hook. */
export function hook(place: Place, name: string): Control {
  return place.locator(`[data-test="${name}"]`);
}

/** Waits for a screen and returns its name, such as `summary`; skips waiting screens. */
export function screenOf(place: Place): Promise<string> {
  return nameOf(place.locator(`[data-test^="screen-"]${SETTLED}`));
}

/** Waits for a payment's result: `success`, `failure` or, at the bank, `authenticate`. */
export function outcomeOf(place: Place): Promise<string> {
  const screens = ['success', 'failure', 'authenticate'];
  return nameOf(place.locator(screens.map((name) => `[data-test="screen-${name}"]`).join()));
}

async function nameOf(found: Control): Promise<string> {
  const screen = found.first();
  await screen.waitFor();
  return ((await screen.getAttribute('data-test')) ?? '').replace('screen-', '');
}

/** Presses Continue on a hosted page, which opens its link. */
export async function openLink(place: Place): Promise<void> {
  await hook(place, 'continue').click();
  await hook(place, 'screen-continue').waitFor({ state: 'hidden' });
}

/** Agrees to terms and consents if the flow asks for them. */
export async function agree(place: Place): Promise<void> {
  if ((await screenOf(place)) !== 'agree') return;
  await hook(place, 'agree-switch').check();
  await hook(place, 'agree-accept').click();
  await hook(place, 'screen-agree').waitFor({ state: 'hidden' });
}

/** Adds a card on the processor's page inside the flow; it is then the chosen method. */
export async function addCard(place: Place, card: TypedCard = 'visa'): Promise<void> {
  const typed = typeof card === 'string' ? { number: TEST_CARDS[card] } : card;
  const { number, expiry = FAR, cvc = /^3[47]/.test(number) ? '1234' : '123' } = typed;
  await addAs(place, 'card', { number, expiry, cvc });
}

/** Adds an account at the test bank, in the flows that offer it. */
export async function addBank(place: Place, name: keyof typeof TEST_BANKS = 'bank'): Promise<void> {
  await addAs(place, 'bank', { routing: TEST_ROUTING, account: TEST_BANKS[name] });
}

async function addAs(
  place: Place,
  kind: 'card' | 'bank',
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  await hook(place, `add-${kind}`).click();
  const entry = place.frameLocator('[data-test="entry-frame"] iframe');
  for (const [field, text] of Object.entries(fields)) {
    await hook(entry, `${kind}-${field}`).fill(text);
  }
  await hook(entry, `${kind}-save`).click();
  await hook(place, `screen-add-${kind}`).waitFor({ state: 'hidden' });
}

/** Chooses a method by its id. */
export async function chooseMethod(place: Place, id: string): Promise<void> {
  await hook(place, `method-${id}`).check();
}

/** Pays with the wallet's balance; another method pays the rest. */
export async function payWithWallet(place: Place): Promise<void> {
  await hook(place, 'wallet-switch').check();
  await hook(place, 'pay').click();
}

/** Pays without the wallet: with the method of that id, or the chosen one. */
export async function payWithCard(place: Place, id?: string): Promise<void> {
  await hook(place, 'pay').waitFor();
  const wallet = hook(place, 'wallet-switch');
  if (await wallet.isVisible()) await wallet.uncheck();
  if (id !== undefined) await chooseMethod(place, id);
  await hook(place, 'pay').click();
}

/** Confirms or refuses a payment on the bank's page inside the flow. */
export async function confirmChallenge(
  place: Place,
  decision: 'confirm' | 'refuse' = 'confirm',
): Promise<void> {
  const bank = place.frameLocator('[data-test="authentication-frame"] iframe');
  await hook(bank, `challenge-${decision}`).click();
}

/** Ends a payment selection or purchase with what is chosen. */
export async function selectMethod(place: Place): Promise<void> {
  await hook(place, 'select-method').click();
}

/**
 * Requests a payout to the chosen account and presses Done. `amount` as a person types it, such as
 * `20.00`; absent where the page has fixed it.
 */
export async function requestPayout(place: Place, amount?: string): Promise<void> {
  if (amount !== undefined) await hook(place, 'amount').fill(amount);
  // The page continues only once it knows what the payout costs.
  await hook(place, 'price').waitFor();
  await hook(place, 'payout-next').click();
  await hook(place, 'payout').click();
  await hook(place, 'screen-payout-requested').waitFor();
  await hook(place, 'done').click();
}

/** Waits for a payment's success and presses Done. */
export async function done(place: Place): Promise<void> {
  await hook(place, 'screen-success').waitFor();
  await hook(place, 'done').click();
}

/** Presses Cancel. */
export async function cancel(place: Place): Promise<void> {
  await hook(place, 'cancel').click();
}

/** What a person types into the identity form; only what the country needs is used. */
export interface TypedIdentity {
  readonly country?: string;
  readonly first?: string;
  readonly last?: string;
  /** `YYYY-MM-DD` */
  readonly date_of_birth?: string;
  readonly ssn?: string;
  readonly signature?: string;
  readonly street?: string;
  readonly city?: string;
  readonly state?: string;
  readonly zip?: string;
  readonly document_type?: 'PP' | 'DL' | 'ID';
  readonly document_country?: string;
  /** For every picture that is asked for: a path, or a file in memory. */
  readonly picture: string | TypedFile;
}

/** Someone the sandbox's vendor accepts; a test person's last name changes that. */
const SOMEBODY = {
  country: 'US',
  first: 'Ada',
  last: 'Specimen-Accepted',
  date_of_birth: '1990-02-28',
  ssn: '123-45-6789',
  signature: 'Ada Specimen',
  street: '1 Example Way',
  city: 'Springfield',
  state: 'CA',
  zip: '94110',
  document_type: 'DL',
  document_country: 'US',
} as const;

/** Fields by the step of the form that has them. */
const STEPS: Readonly<Record<string, readonly (keyof typeof SOMEBODY)[]>> = {
  'kyc-country': ['country'],
  'kyc-person': ['first', 'last', 'date_of_birth'],
  'kyc-tax': ['ssn', 'signature'],
  'kyc-address': ['street', 'city', 'state', 'zip'],
  'kyc-documents': ['document_type', 'document_country'],
};

/** Fills in the identity form, sends it and waits: `accepted`, `failed` or `review-wait`. */
export async function completeKyc(place: Place, typed: TypedIdentity): Promise<string> {
  const person = { ...SOMEBODY, ...typed };
  for (;;) {
    const screen = await screenOf(place);
    const fields = STEPS[screen];
    if (fields === undefined) break;
    for (const field of fields) await fillIn(place, field.replaceAll('_', '-'), person[field]);
    if (screen === 'kyc-documents') await addPictures(place, typed.picture);
    await hook(place, 'next').click();
    await hook(place, `screen-${screen}`).waitFor({ state: 'hidden' });
  }
  await hook(place, 'kyc-submit').click();
  const ends = ['accepted', 'failed', 'review-wait'];
  const found = place.locator(ends.map((end) => `[data-test="screen-kyc-${end}"]`).join());
  return (await nameOf(found)).replace('kyc-', '');
}

async function fillIn(place: Place, name: string, text: string): Promise<void> {
  const [year = '', month = '', day = ''] = text.split('-');
  const parts =
    name === 'date-of-birth'
      ? { [`${name}-year`]: year, [`${name}-month`]: month, [`${name}-day`]: day }
      : { [name]: text };
  for (const [part, value] of Object.entries(parts)) {
    const choice = place.locator(`select[data-test="${part}"]`);
    if ((await choice.count()) > 0) await choice.selectOption(value);
    else if ((await hook(place, part).count()) > 0) await hook(place, part).fill(value);
  }
}

async function addPictures(place: Place, picture: string | TypedFile): Promise<void> {
  for (const name of ['document-front', 'document-back', 'extra-files']) {
    const input = hook(place, name);
    if ((await input.count()) === 0) continue;
    await input.setInputFiles(picture);
    await hook(place, name === 'extra-files' ? `${name}-0-clear` : `${name}-clear`).waitFor();
  }
}

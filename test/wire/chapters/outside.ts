// The foreign systems of the sandbox as the platform itself asks them, and what they tell it: the
// card processor, its pages, the identity vendor, their notices; and what a supervisor asks.
import { processorKey } from '../../../src/sandbox/simulators/processor/index.ts';
import { SIGNING as PROCESSOR } from '../../../src/sandbox/simulators/processor/notices.ts';
import { signedHeaders } from '../../../src/sandbox/simulators/store/signing.ts';
import { vendorKey } from '../../../src/sandbox/simulators/vendor/index.ts';
import { SIGNING as VENDOR } from '../../../src/sandbox/simulators/vendor/notices.ts';
import { PICTURE } from '../../kit/identity.ts';
import { ownLine } from '../../api/market.ts';
import { Bank } from '../../kit/challenge.ts';
import { Api } from '../../kit/api.ts';
import type { Step, Walk } from '../walk.ts';
import { attach, NOBODY, person } from './cast.ts';

/** The workspace of the sandbox's own tenant, which is the first. */
const WORKSPACE = 1;
const card = { number: '4111111111111111', expiry_month: 12, expiry_year: 2060, cvc: '123' };

/** A step as the merchant of the sandbox's own tenant. */
const by = (key: string, step: Step = {}): Step => ({
  ...step,
  token: null,
  headers: { authorization: `Bearer ${key}` },
});

export async function processor(walk: Walk): Promise<void> {
  walk.chapter('22-processor');
  const key = processorKey(walk.platform.keys, WORKSPACE);
  walk.names.fix(key, 'processor-key');
  const stranger = { token: null };
  await walk.ok('processorStoreCard', by(key, { body: card }));
  const unknown = { ...card, number: '4000000000000000' };
  await walk.no('processorStoreCard', by(key, { body: unknown }));
  await charges(walk, key);
  await entries(walk, key);
  await challenge(walk);
  const nothing = { reference: 'none', charge: 'nobody', files: [] };
  const answer = { at: { key: 'walked-answer' }, body: { ...nothing, texts: [] } };
  await walk.ok('processorDispute', by(key, answer));
  const other = { kind: 'other', text: 'x' };
  await walk.no('processorDispute', by(key, { ...answer, body: { ...nothing, texts: [other] } }));
  await walk.ok('processorLookDispute', by(key, { at: answer.at }));
  await walk.no('processorLookDispute', { token: null, at: answer.at });
  const script = { operation: 'authorize', exchange: 'honest' };
  await walk.ok('processorScript', by(key, { body: script }));
  await walk.no('processorScript', by(key, { body: { ...script, exchange: 'nonsense' } }));
  await walk.ok('sandboxClearScripts');
  await walk.ok('processorStatement', by(key, { query: { after: 0 } }));
  await walk.no('processorStatement', { ...stranger, query: { after: 0 } });
  await walk.ok('processorBook', by(key));
  await walk.no('processorBook', { token: null });
  await walk.ok('processorBalance', by(key));
  await walk.no('processorBalance', { token: null });
  const none = { fee_basis_points: 0, fee_fixed: 0, dispute_fee: 0, monthly_fee: 0, delay_days: 0 };
  await walk.ok('processorTerms', by(key, { body: none }));
  await walk.no('processorTerms', by(key, { body: { ...none, delay_days: -1 } }));
}

interface Order {
  readonly key: string;
  readonly token: string;
  readonly amount: string;
  readonly currency: string;
}

/** What the platform ordered for a deposit by such a card. */
async function ordered(walk: Walk, name: string): Promise<Order> {
  const { account_id } = await person(walk, `holder of a ${name}`);
  const payment_method_id = await attach(walk, account_id, name);
  const body = { account_id, payment_method_id, currency: 'USD', amount: 12 };
  const { deposit_id = '' } = await walk.ok('createDeposit', { body });
  const [order] = await walk.platform.db.query<Order>({
    text: `select c.key, c.token, c.amount::text, c.currency from processor_charge c
      join attempt a on a.workspace = c.workspace and a.id::text = c.key where a.resource_id = $1`,
    values: [deposit_id],
  });
  walk.names.fix((order as Order).token, name);
  return order as Order;
}

/** What was asked already is asked again: the same key, the same answer. */
async function charges(walk: Walk, key: string): Promise<void> {
  const { key: charge, ...body } = await ordered(walk, 'visa');
  const { key: declined, ...other } = await ordered(walk, 'card_declined');
  const at = { key: charge };
  for (const id of ['processorAuthorize', 'processorCapture', 'processorReverse']) {
    // What was captured would really be given back.
    const reversed = { at: { key: declined }, body: other };
    const repeated = id === 'processorReverse' ? reversed : { at, body };
    await walk.ok(id, by(key, repeated));
    await walk.no(id, by(key, { at, body: { ...body, amount: '13' } }));
    await walk.no(id, { token: null, at, body });
  }
  await walk.ok('processorLook', by(key, { at }));
  await walk.ok('processorLook', by(key, { at: { key: 'never-seen' } }));
  await walk.no('processorLook', { token: null, at });
  await walk.ok('processorExchanges', by(key, { at }));
  await walk.no('processorExchanges', { token: null, at });
  const taken = { key: charge, event: 'chargeback' };
  await walk.ok('processorOutsideEvent', by(key, { body: taken, waits: true }));
  await walk.read();
  await walk.no('processorOutsideEvent', by(key, { body: { key: charge, event: 'settle' } }));
  await transfers(walk, key);
}

/** A payout that was sent is asked for again. */
async function transfers(walk: Walk, key: string): Promise<void> {
  type Sent = { key: string; kind: string; target: string; amount: string; currency: string };
  const [sent] = await walk.platform.db.query<Sent>(
    `select key, kind, target, amount::text, currency from processor_transfer
      where kind = 'payout' limit 1`,
  );
  const { key: transfer = '', ...body } = sent as Sent;
  walk.names.fix(body.target, 'bank-account');
  const at = { key: transfer };
  await walk.ok('processorRemit', by(key, { at, body }));
  await walk.no('processorRemit', by(key, { at, body: { ...body, amount: '1' } }));
  await walk.ok('processorLookRemittance', by(key, { at }));
  await walk.ok('processorLookRemittance', by(key, { at: { key: 'never-seen' } }));
  await walk.no('processorLookRemittance', { token: null, at });
  await walk.ok('processorRemittanceExchanges', by(key, { at }));
  await walk.no('processorRemittanceExchanges', { token: null, at });
}

/** Entries of a card, as the processor's page makes them. */
async function entries(walk: Walk, key: string): Promise<void> {
  const look = { background: '#ffffff', primary: '#0055aa', dir: 'ltr' };
  const parent_origin = 'https://shop.example';
  const page = { parent_origin, ancestors: [], return_url: null, look, label: 'Shop' };
  const body = { kind: 'card', ...page };
  const begin = async (): Promise<{ id: string; secret: string }> => {
    const begun = await walk.ok('processorBeginEntry', by(key, { body }));
    const secret = begun['path']?.split('/').at(-1) ?? '';
    return { id: begun['id'] ?? '', secret };
  };
  await walk.no('processorBeginEntry', by(key, { body: { ...body, kind: 'cheque' } }));
  const [one, two] = [await begin(), await begin()];
  const token = null;
  await walk.no('processorFinishEntry', { token, at: one, body: { login: 'paypal' } });
  await walk.ok('processorFinishEntry', { token, at: one, body: card });
  await walk.no('processorFinishEntry', { token, at: { secret: 'nonsense' }, body: card });
  await walk.ok('processorLookAtEntry', by(key, { at: one }));
  await walk.no('processorLookAtEntry', { token, at: one });
  await walk.ok('processorCancelEntry', { token, at: two });
  await walk.no('processorCancelEntry', { token, at: { secret: 'nonsense' } });
  await walk.ok('processorLookAtEntry', by(key, { at: two }));
}

/** A buyer whose bank asks first. */
async function challenge(walk: Walk): Promise<void> {
  const { account_id } = await person(walk, 'holder of a guarded card');
  const payment_method_id = await attach(walk, account_id, 'three_d_secure');
  const body = { account_id, payment_method_id, currency: 'USD', amount: 14 };
  const { deposit_id = '' } = await walk.ok('createDeposit', { body, waits: true });
  const ready = walk.ready as unknown as Api['ready'];
  const bank = new Bank(new Api(ready, await walk.api.token()));
  const url = await bank.pageOf(`/v1/deposits/${deposit_id}`);
  await walk.ok('getDeposit', { at: { deposit_id } });
  const at = { id: new URL(url).pathname.split('/').at(-1) ?? '' };
  const token = null;
  await walk.no('processorDecideChallenge', { token, at, body: { decision: 'perhaps' } });
  await walk.ok('processorDecideChallenge', { token, at, body: { decision: 'confirm' } });
  await walk.no('processorDecideChallenge', { token, at, body: { decision: 'refuse' } });
  const none = { id: NOBODY.id };
  await walk.no('processorDecideChallenge', { token, at: none, body: { decision: 'confirm' } });
  await walk.ok('getDeposit', { at: { deposit_id } });
  await givenUp(walk, account_id, payment_method_id);
}

/** A buyer who does not confirm, and says so. */
async function givenUp(walk: Walk, account_id: string, payment_method_id: string): Promise<void> {
  const line_items = [ownLine(15)];
  const sale = { account_id, payment_methods: [{ payment_method_id }], line_items };
  const { invoice_id = '' } = await walk.ok('createInvoice', { body: sale });
  const at = { invoice_id };
  await walk.no('giveUpInvoicePayment', { at });
  await walk.ok('payInvoice', { at, waits: true });
  const ready = walk.ready as unknown as Api['ready'];
  await new Bank(new Api(ready, await walk.api.token())).pageOf(`/v2/invoice/${invoice_id}`);
  await walk.ok('giveUpInvoicePayment', { at });
}

export async function vendor(walk: Walk): Promise<void> {
  walk.chapter('23-vendor');
  const key = vendorKey(walk.platform.keys, WORKSPACE);
  walk.names.fix(key, 'vendor-key');
  const texts = ['middle', 'street2', 'region', 'phone_code', 'phone_number', 'ssn_last4'];
  const person = {
    ...Object.fromEntries(texts.map((name) => [name, ''])),
    first: 'Ada',
    last: 'Example',
    date_of_birth: '1990-02-28',
    street: '1 rue des Exemples',
    city: 'Lyon',
    zip: '69001',
    country: 'FR',
    document_type: 'PP',
    document_country: 'FR',
  };
  const content = PICTURE.split(',')[1];
  const body = { person, files: [{ role: 'front', mime: 'image/png', content }] };
  const at = { key: 'walked-check' };
  await walk.ok('vendorBegin', by(key, { at, body }));
  const other = { ...body, person: { ...person, first: 'Bea' } };
  await walk.no('vendorBegin', by(key, { at, body: other }));
  await walk.ok('vendorLook', by(key, { at }));
  await walk.ok('vendorLook', by(key, { at: { key: 'never-seen' } }));
  await walk.no('vendorLook', { token: null, at });
  await walk.ok('vendorOutsideEvent', by(key, { body: { ...at, event: 'deny' } }));
  await walk.no('vendorOutsideEvent', by(key, { body: { ...at, event: 'deny' } }));
  await walk.ok('vendorExchanges', by(key, { at }));
  await walk.no('vendorExchanges', { token: null, at });
  await walk.ok('vendorForget', by(key, { at }));
  await walk.no('vendorForget', { token: null, at });
  await walk.no('vendorBegin', by(key, { at, body }));
  const script = { operation: 'begin', exchange: 'honest' };
  await walk.ok('vendorScript', by(key, { body: script }));
  await walk.no('vendorScript', by(key, { body: { ...script, exchange: 'nonsense' } }));
  await walk.ok('sandboxClearScripts');
  await notices(walk);
}

/** The headers of a notice under the names that are on the wire, whatever ours are called. */
function named(system: string, made: Readonly<Record<string, string>>): Record<string, string> {
  const [workspace = '', mark = ''] = Object.values(made);
  return { [`${system}-world`]: workspace, [`${system}-signature`]: mark };
}

/** What the foreign systems tell, signed by them and by nobody. */
async function notices(walk: Walk): Promise<void> {
  walk.chapter('24-notices');
  const { keys } = walk.platform;
  const now = Math.floor(Date.now() / 1_000);
  const token = null;
  const told = { notice_id: 'walked', key: 'nobody', at: '2026-01-01T00:00:00Z' };
  const body = { ...told, about: 'charge' } as const;
  const made = signedHeaders(PROCESSOR, processorKey(keys, WORKSPACE), now, WORKSPACE, body);
  const headers = named('processor', made);
  await walk.ok('takeProcessorNotice', { token, body, headers });
  await walk.no('takeProcessorNotice', { token, body });
  const signed = signedHeaders(VENDOR, vendorKey(keys, WORKSPACE), now, WORKSPACE, told);
  await walk.ok('takeIdentityNotice', { token, body: told, headers: named('vendor', signed) });
  await walk.no('takeIdentityNotice', { token, body: told });
  const at = { connection_id: '01a1fa75-0000-7000-8000-00000000000a' };
  await walk.no('takeConnectionNotice', { token, body, at });
  await walk.no('takeIdentityConnectionNotice', { token, body: told, at });
}

export async function health(walk: Walk): Promise<void> {
  walk.chapter('25-health');
  for (const id of ['getHealth', 'getReadiness']) {
    await walk.ok(id, { token: null });
    await walk.no(id, { token: null, query: { surprise: 1 } });
  }
}

// What only a sandbox has: test cards, scenarios, scripts, books, receivers, the clock, workspaces.
import type { Walk } from '../walk.ts';
import { attach, NOBODY, person, type Made } from './cast.ts';
import { sale } from './sales.ts';

export async function sandbox(walk: Walk): Promise<void> {
  walk.chapter('19-sandbox');
  for (const list of ['sandboxTestCards', 'sandboxScenarios', 'sandboxTestPersons']) {
    await walk.ok(list);
    await walk.no(list, { token: null });
  }
  await walk.ok('sandboxCounterparties');
  await walk.no('sandboxCounterparties', { query: { surprise: 1 } });
  const { account_id } = await person(walk, 'holder of a test card');
  const payment_method_id = await attach(walk, account_id, 'visa');
  await walk.no('sandboxAttachCard', { body: { account_id, test_card: 'nonsense' } });
  await walk.no('sandboxAttachCard', { body: { account_id: NOBODY.account, test_card: 'visa' } });
  const scripted = { counterparty: 'processor', exchange: 'busy', on: payment_method_id };
  await walk.ok('sandboxScript', { body: { ...scripted, times: 2, operation: 'authorize' } });
  await walk.no('sandboxScript', { body: { ...scripted, exchange: 'nonsense' } });
  await walk.no('sandboxScript', { body: { ...scripted, on: NOBODY.id } });
  await walk.ok('sandboxScripts');
  await walk.no('sandboxScripts', { query: { surprise: 1 } });
  await walk.ok('sandboxClearScripts');
  await walk.no('sandboxClearScripts', { token: null });
  await explained(walk);
  for (const counterparty of ['processor', 'bank', 'vendor', 'receiver']) {
    await walk.ok('sandboxBook', { at: { counterparty } });
  }
  await walk.no('sandboxBook', { at: { counterparty: 'nobody' } });
  await walk.no('sandboxBook', { at: { counterparty: 'bank' }, query: { after: 'nonsense' } });
}

/** Why a sale is as it is. */
async function explained(walk: Walk): Promise<void> {
  const buyer = await person(walk, 'buyer who wonders', 10);
  const body = sale(buyer, await person(walk, 'seller who wonders'), 3);
  const { invoice_id: id = '' } = await walk.ok('createInvoice', { body });
  // The note of a call is written a moment after its answer.
  for (let noted = false; !noted; ) {
    const reply = await walk.api.send('invoicing', 'GET', `/sandbox/explain/${id}`);
    noted = reply.text.includes('createInvoice');
  }
  await walk.ok('sandboxExplain', { at: { id } });
  await walk.no('sandboxExplain', { at: { id: NOBODY.id } });
}

export async function receivers(walk: Walk): Promise<void> {
  walk.chapter('20-receivers');
  // How much of the chapters before is still to be told is a matter of chance.
  await walk.api.must(200, 'invoicing', 'POST', '/sandbox/clock', { body: { until_idle: true } });
  await walk.delivered();
  const script = [{ exchange: 'fault', times: 1 }];
  const body = { events: ['register-account-completed'], script };
  const made = await walk.ok('sandboxCreateReceiver', { body });
  await walk.no('sandboxCreateReceiver', { body: { ...body, script: [{ exchange: 'no' }] } });
  const at = { receiver_id: made['receiver_id'] ?? '' };
  const endpoint = { endpoint_id: made['endpoint_id'] ?? '' };
  await walk.ok<Made>('registerAccount', { body: { username: 'told of' } });
  await walk.ok('sandboxMoveClock', { body: { until_idle: true } });
  await walk.delivered();
  await walk.ok('sandboxMail', { query: { to: 'nobody@people.example' } });
  await walk.no('sandboxMail', { token: null });
  await walk.ok('sandboxReceivers');
  await walk.no('sandboxReceivers', { token: null });
  await walk.ok('sandboxReceiverRequests', { at });
  await walk.ok('listWebhookDeliveries', { at: endpoint });
  const none = { receiver_id: NOBODY.id };
  await walk.no('sandboxReceiverRequests', { at: none });
  await walk.ok('sandboxEndReceiver', { at });
  await walk.no('sandboxEndReceiver', { at });
}

interface Clone {
  readonly client_id: string;
  readonly client_secret: string;
}

export async function workspaces(walk: Walk): Promise<void> {
  walk.chapter('21-workspaces');
  await walk.read();
  const { snapshot_id = '' } = await walk.ok('sandboxTakeSnapshot', { body: { name: 'as it is' } });
  await walk.no('sandboxTakeSnapshot', { body: { name: 5 } });
  await walk.ok('sandboxListSnapshots');
  await walk.no('sandboxListSnapshots', { query: { surprise: 1 } });
  const clone = await walk.ok<Clone>('sandboxForkWorld', { body: { name: 'aside', snapshot_id } });
  await walk.no('sandboxForkWorld', { body: { snapshot_id: NOBODY.id } });
  await walk.ok('sandboxListWorlds');
  await walk.no('sandboxListWorlds', { query: { surprise: 1 } });
  const { client_id, client_secret } = clone;
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const token = (await walk.ok('createToken', { token: null, form }))['access_token'] ?? '';
  await clock(walk, token);
  await terms(walk, token);
  await walk.no('sandboxRollBack', { token, body: { snapshot_id: NOBODY.id } });
  await walk.ok('sandboxRollBack', { token, body: { snapshot_id } });
  const { world_id = '' } = await walk.ok('sandboxReset', { token });
  await walk.no('sandboxReset', { token: null });
  await walk.ok('sandboxListSnapshots', { token });
  await walk.no('sandboxEndWorld', { at: { world_id: NOBODY.id } });
  await walk.ok('sandboxListWorlds');
  await walk.no('sandboxDeleteSnapshot', { at: { snapshot_id: NOBODY.id } });
  await walk.ok('sandboxDeleteSnapshot', { at: { snapshot_id } });
  await walk.ok('sandboxEndWorld', { at: { world_id } });
}

/** Fees and dates of a clone, so that nobody else's payouts wait. */
async function terms(walk: Walk, token: string): Promise<void> {
  const body = {
    ...{ fee_basis_points: 290, fee_fixed: 30, dispute_fee: 1_500, monthly_fee: 0 },
    ...{ delay_days: 2, bank_above: 10_000 },
  };
  await walk.ok('sandboxSettlementTerms', { token, body });
  await walk.no('sandboxSettlementTerms', { token, body: { ...body, delay_days: 91 } });
}

/** The clock of a clone, so that everybody else's stays. */
async function clock(walk: Walk, token: string): Promise<void> {
  // What the clone took over ends first; how much of that there is is a matter of chance.
  const idle = { body: { until_idle: true }, token };
  await walk.api.must(200, 'invoicing', 'POST', '/sandbox/clock', idle);
  await walk.ok('sandboxClock', { token });
  await walk.no('sandboxClock', { token: null });
  await walk.ok('sandboxMoveClock', { token, body: { advance_seconds: 90_000 } });
  await walk.no('sandboxMoveClock', { token, body: {} });
  await walk.no('sandboxMoveClock', { token, body: { to: '2020-01-01T00:00:00Z' } });
}

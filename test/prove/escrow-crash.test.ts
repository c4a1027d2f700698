// kill -9 while held money goes in parts, by the decision of a disagreement, or by the clock: while
// the step is stored, and at each point of the refund that follows. After the restart each is done
// once, and who asks again under the same key hears the same. [C1 to C10; G-94 to G-96]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { Crashes, type Case } from '../faults/crashes.ts';
import { openEscrow } from '../kit/escrow.ts';
import { until } from '../kit/until.ts';

const PRICE = 700;
/** Until a date that is set: the clock warns at half of it. */
const SOON_MS = 1_500;
const STATE = 'select state from escrow where id::text = $1';

let crashes: Crashes;
before(async () => {
  crashes = await Crashes.open();
});
after(() => crashes?.end());

let people = 0;

interface Held {
  readonly id: string;
  readonly account_id: string;
  readonly method: string;
  /** Its line item. */
  readonly line: string;
}

/** An escrow that was paid by card. */
async function held(more: object = {}): Promise<Held> {
  const { api } = crashes;
  people += 1;
  const { account_id } = await api.register(`parts_${people}`);
  const method = await api.attach(account_id, 'visa');
  const paying = [{ payment_method_id: method }];
  const escrow = await openEscrow(api, PRICE, paying, { account_id, ...more });
  const { id, escrow_invoice_id } = escrow;
  await crashes.paid(id);
  type Invoice = { line_items: Record<string, unknown> };
  const path = `/v2/invoice/${escrow_invoice_id}`;
  const { line_items } = await api.must<Invoice>(200, 'invoicing', 'GET', path);
  return { id, account_id, method, line: Object.keys(line_items)[0] ?? '' };
}

/** A call about an escrow, and how it stands after it. */
function of({ id, method }: Held, name: string, body: object, state: string): Case {
  return {
    ...{ name, method, state, operation: 'remit' },
    send: (api, key) => api.send('invoicing', 'POST', `/v2/escrow/${id}/${name}`, { body, key }),
    end: [STATE, uuidOfWireId('esc', id) ?? ''],
    lines: ['capture', 'refund'],
  };
}

async function returned(): Promise<Case> {
  const one = await held();
  const body = { line_items: [{ line_item_id: one.line, amount: 200 }] };
  return of(one, 'return', body, 'ESCROWED');
}

const SPLIT = { to_sellers: 300, to_buyer: 350, to_integrator: 50 };

async function disagreed(): Promise<Held> {
  const one = await held();
  const body = { opened_by: 'buyer', reason: 'damaged' };
  await crashes.api.must(201, 'invoicing', 'POST', `/v2/escrow/${one.id}/dispute`, { body });
  return one;
}

async function resolved(): Promise<Case> {
  return of(await disagreed(), 'resolve', SPLIT, 'CANCELLED');
}

async function accepted(): Promise<Case> {
  const { api } = crashes;
  const one = await disagreed();
  const { account_id } = api.ready.accounts.seller;
  type Made = { proposal: { proposal_id: string } };
  const path = `/v2/escrow/${one.id}/dispute/proposal`;
  const said = { body: { account_id, ...SPLIT } };
  const { proposal } = await api.must<Made>(201, 'invoicing', 'POST', path, said);
  const body = { account_id: one.account_id, ...proposalOf(proposal) };
  return of(one, 'dispute/answer', body, 'CANCELLED');
}

function proposalOf({ proposal_id }: { proposal_id: string }) {
  return { proposal_id, answer: 'accept' };
}

/** The clock returns, or releases, what is held soon after the call. */
async function dated(date: 'return_at' | 'release_at' = 'return_at'): Promise<Case> {
  const one = await held();
  const body: Record<string, string> = {};
  const back = date === 'return_at';
  const call = of(one, 'schedule', body, back ? 'CANCELLED' : 'COMMITTED');
  return {
    ...call,
    ...(!back && { lines: ['capture'] }),
    send(api, key) {
      // The same words when it is asked again.
      body[date] ??= new Date(Date.now() + SOON_MS).toISOString().replace('Z', '000Z');
      return call.send(api, key);
    },
  };
}

const DECIDED = [returned, resolved, accepted];

function made(makers: readonly (() => Promise<Case>)[]): Promise<Case[]> {
  return Promise.all(makers.map((make) => make()));
}

/** How often each event of an escrow was sent, its end and its parts. */
async function told({ end: [, id] }: Case): Promise<Readonly<Record<string, number>>> {
  const rows = await crashes.db.query<{ name: string; times: number }>({
    text: `select name, count(*)::int as times from event where resource_id::text = $1
      group by name`,
    values: [id],
  });
  return Object.fromEntries(rows.map(({ name, times }) => [name, times]));
}

test('decisions that are stored when it dies: none is half done [C1 to C3]', async () => {
  const one = await held({ milestones: [{ name: 'Draft', amount: 100 }] });
  const released = of(one, 'release', { milestone: 'Draft' }, 'ESCROWED');
  const cases = [...(await made(DECIDED)), { ...released, lines: ['capture'] }];
  await crashes.crash(cases, async (lock, ask) => {
    await lock.execute('lock table step in exclusive mode');
    ask();
    await until('steps that wait', () => crashes.waiting(1));
  });
  const [part, settled, agreed, milestone] = await Promise.all(cases.map(told));
  for (const sent of [part, milestone]) assert.equal(sent?.['escrow-part-moved'], 1);
  for (const sent of [settled, agreed]) {
    assert.equal(sent?.['escrow-part-moved'], 2, 'sellers and integrator');
    assert.equal(sent?.['escrow-transaction-update'], 2, 'paid and ended');
  }
});

test('dates that come when it dies: each once [C1 to C3]', async () => {
  const cases = [await dated(), await dated('release_at')];
  await crashes.crash(cases, async (lock, ask) => {
    ask();
    const near = `select from escrow where id::text = any($1) and course like '%"warned":true%'`;
    await until('warnings', async () => {
      const values = [cases.map(({ end: [, id] }) => id)];
      return (await crashes.db.query({ text: near, values })).length === cases.length;
    });
    await lock.execute('lock table step in exclusive mode');
    await until('a step that waits', () => crashes.waiting(1));
  });
  for (const one of cases) {
    const sent = await told(one);
    assert.deepEqual(
      [sent['escrow-date-near'], sent['escrow-transaction-update']],
      [1, 2],
      'warned once, paid and ended',
    );
  }
});

test('refunds of parts, splits and dates that are lost with it [C6]', async () => {
  await crashes.lost(await made(DECIDED));
  await crashes.lost([await dated()]);
});

test('refunds that were received with nothing done, or not answered [C7, C8]', async () => {
  const [without, done] = await Promise.all([made(DECIDED), made(DECIDED)]);
  await crashes.cut(without, done);
  await crashes.cut([await dated()], [await dated()]);
});

test('refunds whose answer was received and not stored [C9, C10]', async () => {
  await crashes.unstored(await made(DECIDED));
  await crashes.unstored([await dated()]);
});

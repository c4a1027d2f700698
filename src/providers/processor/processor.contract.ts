// The contract suite of the processor port: idempotency by key, final states, the truth after the
// fact, separate workspaces. Every adapter must pass it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../core/ids.ts';
import type {
  ChargeOrder,
  ChargeOutcome,
  Processor,
  StatementLine,
  TransferOrder,
  TransferOutcome,
} from './port.ts';
import type { SandboxCards } from '../../sandbox/ports/cards.ts';

/** What an adapter's test supplies. */
export interface ProcessorBench {
  readonly processor: Processor;
  /** Two merchants with separate books; a token of one is worthless to the other. */
  readonly workspaces: readonly [number, number];
  /** A card of the workspace that pays. */
  goodCard(workspace: number): Promise<string>;
  /** A card that is declined at authorization, and its failure code. */
  declinedCard(workspace: number): Promise<{ readonly token: string; readonly code: string }>;
  /** A card whose capture is declined, if the processor can simulate that. */
  captureDeclinedCard(
    workspace: number,
  ): Promise<{ readonly token: string; readonly code: string }>;
  /** A card whose payments the buyer must confirm at the bank. */
  challengedCard(workspace: number): Promise<string>;
  /** Decides as the buyer on the bank's page; the HTTP status of the answer. */
  decide(url: string, decision: 'confirm' | 'refuse'): Promise<number>;
  /** A bank account whose debits are pending until they settle. */
  bankAccount(workspace: number): Promise<string>;
  /** An account that payouts reach at once. */
  payableAccount(workspace: number): Promise<string>;
  readonly happen: SandboxCards['happen'];
  /** True: the processor takes no amount beyond 2^53. */
  readonly limited?: true;
  /** How many of each the processor's statement shows for the key. */
  effects(workspace: number, key: string): Promise<Effects>;
  close(): Promise<void>;
}

/** Statement rows of one key, by kind. */
export interface Effects {
  readonly captures: number;
  readonly refunds: number;
  readonly payouts: number;
}

const RACERS = 50;
export const AMOUNT = 12_345n;
export const NO_EFFECT: Effects = { captures: 0, refunds: 0, payouts: 0 };
export const TAKEN: Effects = { ...NO_EFFECT, captures: 1 };
const GIVEN_BACK: Effects = { ...TAKEN, refunds: 1 };

/** An order under a new key. */
export function payment(workspace: number, token: string, amount = AMOUNT): ChargeOrder {
  return { workspace, key: newUuid(), token, amount, currency: 'USD' };
}

/** The outcome without what differs from run to run. */
export function shown(outcome: ChargeOutcome | TransferOutcome): object {
  if (!('reference' in outcome)) return outcome;
  const { reference, ...rest } = outcome;
  assert.notEqual(reference, '');
  return rest;
}

/** The outcome for money that is held or was captured. */
export function held(
  state: 'authorized' | 'pending' | 'captured' | 'reversed',
  amount = AMOUNT,
): object {
  return { state, amount, currency: 'USD' };
}

/** All rows of a statement, page by page from a cursor on; and the cursor of its end. */
export async function statementOf(
  { processor }: Pick<ProcessorBench, 'processor'>,
  workspace: number,
  from: string | null = null,
): Promise<{ readonly lines: readonly StatementLine[]; readonly cursor: string }> {
  const lines = new Map<string, StatementLine>();
  for (let cursor = from; ;) {
    const page = await processor.statement(workspace, cursor);
    assert.ok(page, 'the statement is readable');
    for (const line of page.lines) lines.set(line.row, line);
    cursor = page.cursor;
    if (!page.more) return { lines: [...lines.values()], cursor };
  }
}

/** All calls at once; the one outcome on which they agree. */
export async function race<O extends ChargeOutcome | TransferOutcome>(
  ask: () => Promise<O>,
): Promise<O> {
  const outcomes = await Promise.all(Array.from({ length: RACERS }, ask));
  for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0]);
  assert.ok(outcomes[0]);
  return outcomes[0];
}

/** Declares the suite for one adapter; `more`: laws from other files. */
export function processorContract(
  name: string,
  open: () => Promise<ProcessorBench>,
  ...more: readonly ((law: Law) => void)[]
): void {
  let bench: ProcessorBench;
  before(async () => {
    bench = await open();
  });
  after(async () => {
    await bench.close();
  });
  const law = (title: string, run: (bench: ProcessorBench) => Promise<void>): void => {
    test(`${name}: ${title}`, () => run(bench));
  };
  for (const declare of [declareProcessor, ...more]) declare(law);
}

/** Declares one law of the port. */
export type Law = (title: string, run: (bench: ProcessorBench) => Promise<void>) => void;

/** Declares the laws of charges, refunds and statements. */
export function declareProcessor(law: Law): void {
  declareLife(law);
  declareNo(law);
  declareReversal(law);
  declareRaces(law);
  declareRefunds(law);
  declareRefusedRefunds(law);
  declareStatement(law);
}

function declareLife(law: Law): void {
  law('authorize, capture and retrieve agree', async ({ processor, workspaces, ...rest }) => {
    const order = payment(workspaces[0], await rest.goodCard(workspaces[0]));
    assert.deepEqual(await processor.retrieve(order), { state: 'absent' });
    const first = await processor.authorize(order);
    assert.deepEqual(shown(first), held('authorized'));
    assert.deepEqual(await processor.authorize(order), first);
    assert.deepEqual(await processor.retrieve(order), first);
    const taken = await processor.capture(order);
    assert.deepEqual(shown(taken), held('captured'));
    assert.deepEqual(await processor.capture(order), taken);
    assert.deepEqual(await processor.authorize(order), taken);
    assert.deepEqual(await processor.retrieve(order), taken);
    assert.deepEqual(await rest.effects(workspaces[0], order.key), TAKEN);
  });

  law('an amount beyond 2^53 keeps its last digit, or is declined', async (bench) => {
    const { processor } = bench;
    const amount = 9_007_199_254_740_993n;
    const card = await bench.goodCard(bench.workspaces[0]);
    const order = payment(bench.workspaces[0], card, amount);
    const first = shown(await processor.authorize(order));
    if (bench.limited === true) {
      assert.deepEqual(first, { state: 'declined', code: 'limit_exceeded' });
      return;
    }
    assert.deepEqual(first, held('authorized', amount));
    assert.deepEqual(shown(await processor.capture(order)), held('captured', amount));
  });

  law('a key of one workspace is absent in another', async ({ processor, workspaces, ...rest }) => {
    const order = payment(workspaces[0], await rest.goodCard(workspaces[0]));
    await processor.authorize(order);
    assert.deepEqual(await processor.retrieve({ ...order, workspace: workspaces[1] }), {
      state: 'absent',
    });
    const foreign = await processor.authorize({ ...order, workspace: workspaces[1] });
    assert.ok(foreign.state === 'declined' || foreign.state === 'unknown', foreign.state);
    assert.deepEqual(shown(await processor.retrieve(order)), held('authorized'));
  });
}

function declareNo(law: Law): void {
  law('a declined card stays declined', async ({ processor, workspaces, ...rest }) => {
    const { token, code } = await rest.declinedCard(workspaces[0]);
    const order = payment(workspaces[0], token);
    const first = await processor.authorize(order);
    assert.deepEqual(shown(first), { state: 'declined', code });
    assert.deepEqual(await processor.authorize(order), first);
    assert.deepEqual(await processor.retrieve(order), first);
    assert.deepEqual(await processor.capture(order), first);
    assert.deepEqual(await processor.reverse(order), first);
    assert.deepEqual(await rest.effects(workspaces[0], order.key), NO_EFFECT);
  });

  law('a declined capture holds nothing', async ({ processor, workspaces, ...rest }) => {
    const { token, code } = await rest.captureDeclinedCard(workspaces[0]);
    const order = payment(workspaces[0], token);
    assert.deepEqual(shown(await processor.authorize(order)), held('authorized'));
    assert.deepEqual(shown(await processor.capture(order)), { state: 'declined', code });
    assert.deepEqual(shown(await processor.capture(order)), { state: 'declined', code });
    assert.deepEqual(shown(await processor.retrieve(order)), { state: 'declined', code });
    assert.deepEqual(await rest.effects(workspaces[0], order.key), NO_EFFECT);
  });

  law('a capture never authorized is nothing', async ({ processor, workspaces, ...rest }) => {
    const order = payment(workspaces[0], await rest.goodCard(workspaces[0]));
    assert.deepEqual(await processor.capture(order), { state: 'unknown' });
    assert.deepEqual(await processor.retrieve(order), { state: 'absent' });
  });

  law('a key of another order gives no outcome', async ({ processor, workspaces, ...rest }) => {
    const order = payment(workspaces[0], await rest.goodCard(workspaces[0]));
    const first = await processor.authorize(order);
    for (const other of [{ amount: AMOUNT + 1n }, { currency: 'EUR' }, { token: 'card_other' }]) {
      assert.deepEqual(await processor.authorize({ ...order, ...other }), { state: 'unknown' });
      assert.deepEqual(await processor.capture({ ...order, ...other }), { state: 'unknown' });
      assert.deepEqual(await processor.reverse({ ...order, ...other }), { state: 'unknown' });
    }
    assert.deepEqual(await processor.retrieve(order), first);
  });
}

function declareReversal(law: Law): void {
  law('an authorization is voided for good', async ({ processor, workspaces, ...rest }) => {
    const order = payment(workspaces[0], await rest.goodCard(workspaces[0]));
    await processor.authorize(order);
    assert.deepEqual(shown(await processor.reverse(order)), held('reversed'));
    assert.deepEqual(shown(await processor.capture(order)), held('reversed'));
    assert.deepEqual(shown(await processor.authorize(order)), held('reversed'));
    assert.deepEqual(shown(await processor.retrieve(order)), held('reversed'));
    assert.deepEqual(await rest.effects(workspaces[0], order.key), NO_EFFECT);
  });

  law('a capture is refunded once', async ({ processor, workspaces, ...rest }) => {
    const order = payment(workspaces[0], await rest.goodCard(workspaces[0]));
    await processor.authorize(order);
    await processor.capture(order);
    assert.deepEqual(shown(await processor.reverse(order)), held('reversed'));
    assert.deepEqual(shown(await processor.reverse(order)), held('reversed'));
    assert.deepEqual(shown(await processor.capture(order)), held('reversed'));
    assert.deepEqual(await rest.effects(workspaces[0], order.key), GIVEN_BACK);
  });

  law('a key reversed before use can never pay', async ({ processor, workspaces, ...rest }) => {
    const order = payment(workspaces[0], await rest.goodCard(workspaces[0]));
    assert.deepEqual(shown(await processor.reverse(order)), held('reversed'));
    const late = await processor.authorize(order);
    assert.deepEqual(shown(late), { state: 'declined', code: 'generic_error' });
    assert.notEqual((await processor.capture(order)).state, 'captured');
    assert.deepEqual(shown(await processor.retrieve(order)), held('reversed'));
    assert.deepEqual(await rest.effects(workspaces[0], order.key), NO_EFFECT);
  });
}

function declareRaces(law: Law): void {
  law(
    `${RACERS} racers under one key have one effect`,
    async ({ processor, workspaces, ...rest }) => {
      const order = payment(workspaces[0], await rest.goodCard(workspaces[0]));
      assert.deepEqual(shown(await race(() => processor.authorize(order))), held('authorized'));
      assert.deepEqual(shown(await race(() => processor.capture(order))), held('captured'));
      assert.deepEqual(await rest.effects(workspaces[0], order.key), TAKEN);
      assert.deepEqual(shown(await race(() => processor.reverse(order))), held('reversed'));
      assert.deepEqual(await rest.effects(workspaces[0], order.key), GIVEN_BACK);
    },
  );

  law('reverse racing authorise and capture leaves nothing taken', async (bench) => {
    const workspace = bench.workspaces[0];
    const token = await bench.goodCard(workspace);
    for (let round = 0; round < 20; round += 1) {
      const order = payment(workspace, token);
      if (round % 2 === 1) await bench.processor.authorize(order);
      await Promise.all([
        bench.processor.authorize(order),
        bench.processor.capture(order),
        bench.processor.reverse(order),
      ]);
      assert.deepEqual(shown(await bench.processor.retrieve(order)), held('reversed'));
      const { captures, refunds } = await bench.effects(workspace, order.key);
      assert.equal(captures, refunds);
    }
  });
}

/** A captured charge in a workspace. */
export async function captured(
  bench: ProcessorBench,
  workspace = bench.workspaces[0],
): Promise<ChargeOrder> {
  const order = payment(workspace, await bench.goodCard(workspace));
  await bench.processor.authorize(order);
  const taken = await bench.processor.capture(order);
  assert.ok(taken.state === 'captured', taken.state);
  return { ...order, reference: taken.reference };
}

/** A refund of a captured charge under a new key. */
export function refund(charge: ChargeOrder, amount = charge.amount): TransferOrder {
  const { workspace, key: target, reference, currency } = charge;
  return { workspace, key: newUuid(), kind: 'refund', target, charge: reference, amount, currency };
}

function declareRefunds(law: Law): void {
  law('a refund is paid once and looked up', async (bench) => {
    const { processor } = bench;
    const order = refund(await captured(bench), 1_000n);
    assert.deepEqual(await processor.retrieveTransfer(order), { state: 'absent' });
    const paid = await race(() => processor.remit(order));
    assert.deepEqual(shown(paid), { state: 'paid', amount: 1_000n, currency: 'USD' });
    assert.deepEqual(await processor.retrieveTransfer(order), paid);
    assert.deepEqual(await bench.effects(order.workspace, order.key), { ...NO_EFFECT, refunds: 1 });
    assert.equal((await processor.retrieve(await captured(bench))).state, 'captured');
  });

  law('refunds never exceed what was captured, racing or not', async (bench) => {
    const charge = await captured(bench);
    const orders = Array.from({ length: RACERS }, () => refund(charge, AMOUNT / 5n));
    const outcomes = await Promise.all(orders.map((order) => bench.processor.remit(order)));
    const paid = outcomes.filter(({ state }) => state === 'paid');
    assert.equal(paid.length, 5);
    const declined = { state: 'declined', code: 'processing_error' };
    const beyond = outcomes.filter(({ state }) => state !== 'paid').map(shown);
    for (const one of beyond) assert.deepEqual(one, declined);
    assert.equal((await bench.processor.retrieve(charge)).state, 'captured');
  });

  law('refunds racing a reverse give back what was captured, no more', async (bench) => {
    for (let round = 0; round < 10; round += 1) {
      const charge = await captured(bench);
      const order = refund(charge, 345n);
      const [, sent] = await Promise.all([
        bench.processor.reverse(charge),
        bench.processor.remit(order),
      ]);
      const { lines } = await statementOf(bench, charge.workspace);
      const mine = lines.filter(({ key }) => key === charge.key || key === order.key);
      const back = mine.filter(({ kind }) => kind === 'refund');
      assert.equal(
        back.reduce((sum, { amount }) => sum + amount, 0n),
        AMOUNT,
        sent.state,
      );
    }
  });
}

function declareRefusedRefunds(law: Law): void {
  law('nothing uncaptured is refunded', async (bench) => {
    const { processor } = bench;
    const order = payment(bench.workspaces[0], await bench.goodCard(bench.workspaces[0]));
    assert.equal((await processor.remit(refund(order))).state, 'declined');
    await processor.authorize(order);
    assert.equal((await processor.remit(refund(order))).state, 'declined');
    await processor.reverse(order);
    assert.equal((await processor.remit(refund(order))).state, 'declined');
    const foreign = { ...refund(await captured(bench)), workspace: bench.workspaces[1] };
    assert.equal((await processor.remit(foreign)).state, 'declined');
  });

  law("reusing an outbound transfer's key for another order gives no outcome", async (bench) => {
    const { processor } = bench;
    const order = refund(await captured(bench), 500n);
    const paid = await processor.remit(order);
    const { key: target, reference: charge } = await captured(bench);
    for (const other of [{ amount: 501n }, { currency: 'EUR' }, { target, charge }]) {
      assert.deepEqual(await processor.remit({ ...order, ...other }), { state: 'unknown' });
    }
    assert.deepEqual(await processor.retrieveTransfer(order), paid);
    const apart = { ...order, workspace: bench.workspaces[1] };
    assert.deepEqual(await processor.retrieveTransfer(apart), { state: 'absent' });
  });
}

function declareStatement(law: Law): void {
  law('the statement shows each movement of its workspace, in order', async (bench) => {
    const { processor } = bench;
    const charge = await captured(bench, bench.workspaces[1]);
    const before = await statementOf(bench, charge.workspace);
    const given = refund(charge, 45n);
    await processor.remit(given);
    const { lines, cursor } = await statementOf(bench, charge.workspace);
    const mine = lines.filter(({ key }) => key === charge.key || key === given.key);
    assert.deepEqual(
      mine.map(({ kind, key, part, amount, currency }) => [kind, key, part, amount, currency]),
      [
        ['capture', charge.key, 1, AMOUNT, 'USD'],
        ['refund', given.key, 1, 45n, 'USD'],
      ],
    );
    assert.equal(new Set(lines.map(({ row }) => row)).size, lines.length, 'rows have ids');
    // Rows of before may return under their ids; none may be missing.
    const rest = await statementOf(bench, charge.workspace, before.cursor);
    const known = new Set(before.lines.map(({ row }) => row));
    assert.deepEqual(
      rest.lines.filter(({ row }) => !known.has(row)),
      lines.filter(({ row }) => !known.has(row)),
    );
    const end = await statementOf(bench, charge.workspace, cursor);
    assert.deepEqual(end.lines.filter(({ row }) => !lines.some((line) => line.row === row)), []);
  });
}

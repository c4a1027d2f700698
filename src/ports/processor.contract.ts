// What every adapter of the processor port must do, as tests: idempotency by key, finality, the
// truth after the fact, worlds apart. Answers for the port's promises; knows no adapter.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { ChargeOrder, ChargeOutcome, Processor } from './processor.ts';

/** What an adapter's test supplies. */
export interface ProcessorBench {
  readonly processor: Processor;
  /** Two merchants whose books are apart; a token of one is worth nothing to the other. */
  readonly worlds: readonly [number, number];
  /** A card of the world that pays. */
  goodCard(world: number): Promise<string>;
  /** A card of the world that is declined when asked to authorise, and the code it gives. */
  declinedCard(world: number): Promise<{ readonly token: string; readonly code: string }>;
  /** A card that authorises and whose capture is declined, where the processor can play that. */
  captureDeclinedCard(world: number): Promise<{ readonly token: string; readonly code: string }>;
  /** How many captures and refunds the processor's own statement shows for the key. */
  effects(
    world: number,
    key: string,
  ): Promise<{ readonly captures: number; readonly refunds: number }>;
  close(): Promise<void>;
}

const RACERS = 50;
const AMOUNT = 12_345n;

function payment(world: number, token: string, amount = AMOUNT): ChargeOrder {
  return { world, key: randomUUID(), token, amount, currency: 'USD' };
}

/** The outcome without what differs from run to run. */
function shown(outcome: ChargeOutcome): object {
  if (!('reference' in outcome)) return outcome;
  const { reference, ...rest } = outcome;
  assert.notEqual(reference, '');
  return rest;
}

/** Money that is held or was: what the port says of it. */
function held(state: 'authorized' | 'captured' | 'reversed', amount = AMOUNT): object {
  return { state, amount, currency: 'USD' };
}

/** All racers at once; the one outcome that they agree on. */
async function race(ask: () => Promise<ChargeOutcome>): Promise<ChargeOutcome> {
  const outcomes = await Promise.all(Array.from({ length: RACERS }, ask));
  for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0]);
  assert.ok(outcomes[0]);
  return outcomes[0];
}

/** Declares the suite for one adapter. */
export function processorContract(name: string, open: () => Promise<ProcessorBench>): void {
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
  declareLife(law);
  declareNo(law);
  declareReversal(law);
  declareRaces(law);
}

type Law = (title: string, run: (bench: ProcessorBench) => Promise<void>) => void;

function declareLife(law: Law): void {
  law('authorise, capture and look tell one story', async ({ processor, worlds, ...rest }) => {
    const order = payment(worlds[0], await rest.goodCard(worlds[0]));
    assert.deepEqual(await processor.look(order), { state: 'absent' });
    const first = await processor.authorize(order);
    assert.deepEqual(shown(first), held('authorized'));
    assert.deepEqual(await processor.authorize(order), first);
    assert.deepEqual(await processor.look(order), first);
    const taken = await processor.capture(order);
    assert.deepEqual(shown(taken), held('captured'));
    assert.deepEqual(await processor.capture(order), taken);
    assert.deepEqual(await processor.authorize(order), taken);
    assert.deepEqual(await processor.look(order), taken);
    assert.deepEqual(await rest.effects(worlds[0], order.key), { captures: 1, refunds: 0 });
  });

  law('an amount beyond 2^53 keeps its last digit', async ({ processor, worlds, ...rest }) => {
    const amount = 9_007_199_254_740_993n;
    const order = payment(worlds[0], await rest.goodCard(worlds[0]), amount);
    assert.deepEqual(shown(await processor.authorize(order)), held('authorized', amount));
    assert.deepEqual(shown(await processor.capture(order)), held('captured', amount));
  });

  law('a key of one world is absent in another', async ({ processor, worlds, ...rest }) => {
    const order = payment(worlds[0], await rest.goodCard(worlds[0]));
    await processor.authorize(order);
    assert.deepEqual(await processor.look({ ...order, world: worlds[1] }), { state: 'absent' });
    const foreign = await processor.authorize({ ...order, world: worlds[1] });
    assert.ok(foreign.state === 'declined' || foreign.state === 'unknown', foreign.state);
    assert.deepEqual(shown(await processor.look(order)), held('authorized'));
  });
}

function declareNo(law: Law): void {
  law('a declined card stays declined under its key', async ({ processor, worlds, ...rest }) => {
    const { token, code } = await rest.declinedCard(worlds[0]);
    const order = payment(worlds[0], token);
    const first = await processor.authorize(order);
    assert.deepEqual(shown(first), { state: 'declined', code });
    assert.deepEqual(await processor.authorize(order), first);
    assert.deepEqual(await processor.look(order), first);
    assert.deepEqual(await processor.capture(order), first);
    assert.deepEqual(await processor.reverse(order), first);
    assert.deepEqual(await rest.effects(worlds[0], order.key), { captures: 0, refunds: 0 });
  });

  law('a declined capture holds nothing', async ({ processor, worlds, ...rest }) => {
    const { token, code } = await rest.captureDeclinedCard(worlds[0]);
    const order = payment(worlds[0], token);
    assert.deepEqual(shown(await processor.authorize(order)), held('authorized'));
    assert.deepEqual(shown(await processor.capture(order)), { state: 'declined', code });
    assert.deepEqual(shown(await processor.capture(order)), { state: 'declined', code });
    assert.deepEqual(shown(await processor.look(order)), { state: 'declined', code });
    assert.deepEqual(await rest.effects(worlds[0], order.key), { captures: 0, refunds: 0 });
  });

  law('a capture of nothing takes nothing', async ({ processor, worlds, ...rest }) => {
    const order = payment(worlds[0], await rest.goodCard(worlds[0]));
    assert.deepEqual(await processor.capture(order), { state: 'unknown' });
    assert.deepEqual(await processor.look(order), { state: 'absent' });
  });

  law('a key used for another order is no outcome', async ({ processor, worlds, ...rest }) => {
    const order = payment(worlds[0], await rest.goodCard(worlds[0]));
    const first = await processor.authorize(order);
    for (const other of [{ amount: AMOUNT + 1n }, { currency: 'EUR' }, { token: 'card_other' }]) {
      assert.deepEqual(await processor.authorize({ ...order, ...other }), { state: 'unknown' });
      assert.deepEqual(await processor.capture({ ...order, ...other }), { state: 'unknown' });
      assert.deepEqual(await processor.reverse({ ...order, ...other }), { state: 'unknown' });
    }
    assert.deepEqual(await processor.look(order), first);
  });
}

function declareReversal(law: Law): void {
  law('a reservation is voided, for good', async ({ processor, worlds, ...rest }) => {
    const order = payment(worlds[0], await rest.goodCard(worlds[0]));
    await processor.authorize(order);
    assert.deepEqual(shown(await processor.reverse(order)), held('reversed'));
    assert.deepEqual(shown(await processor.capture(order)), held('reversed'));
    assert.deepEqual(shown(await processor.authorize(order)), held('reversed'));
    assert.deepEqual(shown(await processor.look(order)), held('reversed'));
    assert.deepEqual(await rest.effects(worlds[0], order.key), { captures: 0, refunds: 0 });
  });

  law('a capture is refunded once', async ({ processor, worlds, ...rest }) => {
    const order = payment(worlds[0], await rest.goodCard(worlds[0]));
    await processor.authorize(order);
    await processor.capture(order);
    assert.deepEqual(shown(await processor.reverse(order)), held('reversed'));
    assert.deepEqual(shown(await processor.reverse(order)), held('reversed'));
    assert.deepEqual(shown(await processor.capture(order)), held('reversed'));
    assert.deepEqual(await rest.effects(worlds[0], order.key), { captures: 1, refunds: 1 });
  });

  law('an absent key that was reversed can never pay', async ({ processor, worlds, ...rest }) => {
    const order = payment(worlds[0], await rest.goodCard(worlds[0]));
    assert.deepEqual(shown(await processor.reverse(order)), held('reversed'));
    const late = await processor.authorize(order);
    assert.deepEqual(shown(late), { state: 'declined', code: 'generic_error' });
    assert.notEqual((await processor.capture(order)).state, 'captured');
    assert.deepEqual(shown(await processor.look(order)), held('reversed'));
    assert.deepEqual(await rest.effects(worlds[0], order.key), { captures: 0, refunds: 0 });
  });
}

function declareRaces(law: Law): void {
  law(`${RACERS} racers under one key have one effect`, async ({ processor, worlds, ...rest }) => {
    const order = payment(worlds[0], await rest.goodCard(worlds[0]));
    assert.deepEqual(shown(await race(() => processor.authorize(order))), held('authorized'));
    assert.deepEqual(shown(await race(() => processor.capture(order))), held('captured'));
    assert.deepEqual(await rest.effects(worlds[0], order.key), { captures: 1, refunds: 0 });
    assert.deepEqual(shown(await race(() => processor.reverse(order))), held('reversed'));
    assert.deepEqual(await rest.effects(worlds[0], order.key), { captures: 1, refunds: 1 });
  });

  law('reverse racing authorise and capture leaves nothing taken', async (bench) => {
    const world = bench.worlds[0];
    const token = await bench.goodCard(world);
    for (let round = 0; round < 20; round += 1) {
      const order = payment(world, token);
      if (round % 2 === 1) await bench.processor.authorize(order);
      await Promise.all([
        bench.processor.authorize(order),
        bench.processor.capture(order),
        bench.processor.reverse(order),
      ]);
      assert.deepEqual(shown(await bench.processor.look(order)), held('reversed'));
      const { captures, refunds } = await bench.effects(world, order.key);
      assert.equal(captures, refunds);
    }
  });
}

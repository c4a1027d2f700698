// Acts that break off: whatever a process was doing when it died, the act is carried out once when
// somebody tries again, and what an operation refuses leaves the object free. [G-88]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { machines, operations } from '../../../catalogue.ts';
import { newUuid } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { Payouts, type Person } from '../../../../test/kit/payouts.ts';
import { askForAct } from './decide.ts';
import { again, askFor, digestOf, moneyAct, subjectOf, type ActParts } from './index.ts';

let bench: Bench;
let payouts: Payouts;
let who: Person;
const operatorId = newUuid();
before(async () => {
  bench = await openBench();
  payouts = new Payouts(bench);
  who = await payouts.person();
});
after(() => bench.close());

const operator = () => ({ operatorId, ...bench.home });

/** The parts of a process that dies, or is refused, where `breaks` throws. */
function parts(breaks: (when: 'before' | 'after') => void = () => {}): ActParts {
  const all = operations.map((one) => ({
    ...one,
    async run(...given: Parameters<typeof one.run>) {
      breaks('before');
      const answer = await one.run(...given);
      breaks('after');
      return answer;
    },
  }));
  return { services: bench.services, operations: all, machines };
}

/** Asks for a payout to be cancelled; gives the id of the act. */
async function cancels(of: ActParts, payout: string): Promise<string> {
  const { workspace } = bench.home;
  const subject = await subjectOf(bench.db, workspace, 'payout', payout);
  assert.ok(subject);
  const token = newUuid();
  const form = { token, seen: digestOf(subject), reason: 'asked' };
  const ask = { kind: 'payout', subjectId: payout, act: 'cancel_payout', form } as const;
  await askFor(of, operator(), ask).catch((error: unknown) => assert.ok(error));
  return token;
}

const stateOf = async (id: string): Promise<string | undefined> =>
  (await moneyAct(bench.db, bench.home.workspace, id))?.state;

for (const when of ['before', 'after'] as const) {
  test(`an act that broke off ${when} its operation is done once by trying again`, async () => {
    const payout = await payouts.asked(who);
    const spendable = await payouts.spendable(who);
    const act = await cancels(parts((now) => {
      if (now === when) throw new Error('the process dies');
    }), payout);
    assert.equal(await stateOf(act), 'running');
    await Promise.allSettled([1, 2, 3].map(() => again(parts(), operator(), act)));
    assert.equal(await stateOf(act), 'done');
    assert.equal(await payouts.spendable(who), spendable + 1_000);
    const late = (error: unknown): boolean =>
      error instanceof Refusal && error.spec.code === 'MONEY_ACT_ENDED';
    await assert.rejects(again(parts(), operator(), act), late);
    const [step] = await bench.db.query<{ actor: string }>({
      text: `select actor from history where resource_id = $1 and event = 'cancel'`,
      values: [payout],
    });
    assert.equal(step?.actor, `operator:${operatorId}`);
    await bench.proved();
  });
}

test('what is refused ends the act, and the object is free for another', async () => {
  const payout = await payouts.asked(who);
  const refused = await cancels(parts((now) => {
    const [spec] = operations.find(({ id }) => id === 'cancelPayout')?.refusals ?? [];
    if (now === 'before' && spec !== undefined) throw new Refusal(spec);
  }), payout);
  const row = await moneyAct(bench.db, bench.home.workspace, refused);
  assert.deepEqual([row?.state, row?.code], ['refused', 'ACCOUNT_NOT_FOUND']);
  assert.equal(await stateOf(await cancels(parts(), payout)), 'done');
  assert.equal(await moneyAct(bench.db, bench.other.workspace, refused), null);
});

test('an object has one open act at a time, be it proposed or agreed', async () => {
  const asked = { act: 'cancel_payout', fields: '{}', seen: '', currency: 'USD', amount: 0n };
  const waits = (error: unknown): boolean =>
    error instanceof Refusal && error.spec.code === 'MONEY_ACT_WAITS';
  const { workspace } = bench.home;
  const { engine } = bench.services;
  for (const takesTwo of [true, false]) {
    const one = { ...asked, subject_id: newUuid(), reason: 'asked', operatorId, takesTwo };
    const ask = (id: string) =>
      engine.run(askForAct, { id, ...one }, { workspace, actor: `operator:${operatorId}` });
    const id = newUuid();
    const first = { id, state: takesTwo ? 'proposed' : 'agreed' };
    assert.deepEqual((await ask(id)).payload, { ...first, fresh: true });
    assert.deepEqual((await ask(id)).payload, { ...first, fresh: false });
    await assert.rejects(ask(newUuid()), waits);
  }
});

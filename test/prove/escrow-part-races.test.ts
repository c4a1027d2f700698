// Releases, returns and a commit of one escrow race through two processes, and so do releases of
// its milestones: every cent goes once, and a milestone once. [G-94, G-95]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { moved, readEscrow } from '../kit/escrow.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { ask, held, PRICE, sellerOf, spendable, type Ended } from '../races/escrows.ts';
import { clientAt, proof, race, RACERS, refundedAmounts, ROUNDS } from '../races/racing.ts';

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2);
});
after(() => fleet?.stop());

for (let round = 0; round < ROUNDS; round += 1) {
  test(`${RACERS} releases, returns and a commit of one escrow, round ${round}`, async () => {
    const { id, account_id, line } = await held(fleet, `parts-${round}`);
    const seller = sellerOf(fleet);
    const earned = await spendable(fleet, seller);
    const part = { line_items: [{ line_item_id: line, amount: 7 }] };
    const replies = await race(fleet, RACERS, (api, at) => {
      if (at === RACERS >> 1) return ask(api, id, 'commit');
      return ask(api, id, Math.floor(at / 2) % 2 === 0 ? 'release' : 'return', part);
    });
    const allowed = ['200', '400 ESCROW_NOT_ESCROWED', '400 ESCROW_PARTS_LIMIT']
      .concat('400 ESCROW_PART_TOO_LARGE');
    const counts = refundedAmounts(replies);
    assert.deepEqual(Object.keys(counts).filter((one) => !allowed.includes(one)), []);
    const seen = (await readEscrow(clientAt(fleet, 1), id)) as Ended;
    assert.equal(seen.status, 'COMMITTED');
    // An escrow whose commit came before every part has no fields of parts.
    const alone = { released_amount: PRICE, returned_amount: 0, movements: ['the commit'] };
    const { released_amount, returned_amount, movements } = { ...alone, ...seen };
    assert.equal(released_amount + returned_amount, PRICE);
    assert.equal(movements.length, counts['200']);
    assert.equal(await spendable(fleet, account_id), returned_amount);
    assert.equal((await spendable(fleet, seller)) - earned, released_amount);
    await proof(fleet);
  });

  test(`${RACERS} releases of two milestones, round ${round}: each once`, async () => {
    const milestones = [{ name: 'Draft', amount: 300 }, { name: 'Final', amount: 500 }];
    const { id } = await held(fleet, `milestones-${round}`, { milestones });
    const replies = await race(fleet, RACERS, (api, at) => {
      return ask(api, id, 'release', { milestone: at % 4 < 2 ? 'Draft' : 'Final' });
    });
    assert.deepEqual(refundedAmounts(replies), {
      200: 2,
      '400 ESCROW_MILESTONE_RELEASED': RACERS - 2,
    });
    const seen = (await readEscrow(clientAt(fleet, 1), id)) as Ended;
    assert.deepEqual([seen.status, seen.released_amount], ['ESCROWED', 800]);
    await moved(clientAt(fleet, 1), id, 'cancel', 'CANCELLED');
    await proof(fleet);
  });
}

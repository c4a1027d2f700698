// Held money that goes in parts, and by the word of both sides, while calls break.
import assert from 'node:assert/strict';
import { bodyOf, field, type Act, type Cast } from './acts.ts';
import type { World } from './world.ts';

/** An escrow of one line item, by wallet or by card. */
function sold({ api, rng }: World, { buyer, seller, card }: Cast) {
  const amount = 300 + rng.below(600);
  const byWallet = rng.once(2);
  const methods = [{ payment_method_id: byWallet ? buyer.method : card }];
  return { amount, byWallet, body: bodyOf(api, buyer, seller, amount, methods) };
}

/** Opens and pays it; gives its path and its line item. */
async function held(world: World, body: object): Promise<readonly [path: string, line: string]> {
  const made = await world.ask({ status: 201, path: '/v2/escrow', body });
  world.made.escrow += 1;
  const path = `/v2/escrow/${field<string>(made, 'id')}`;
  await world.ask({ status: 200, path: `${path}/pay`, unsettled: true });
  type Invoice = { line_items: Record<string, unknown> };
  const invoice = `/v2/invoice/${field<string>(made, 'escrow_invoice_id')}`;
  const { line_items } = await world.read<Invoice>('invoicing', invoice);
  return [path, Object.keys(line_items)[0] ?? ''];
}

/** What the escrow says in the end. */
function ends(world: World, path: string, expected: object): void {
  world.checks.push(async () => {
    const seen = await world.read<Record<string, unknown>>('invoicing', path);
    const same = Object.fromEntries(Object.keys(expected).map((name) => [name, seen[name]]));
    assert.deepEqual(same, expected, path);
  });
}

/** A milestone is released, a part returned, and the rest goes one way. */
export const parting: Act = (world, cast) => {
  const { amount, byWallet, body } = sold(world, cast);
  const [draft, back] = [1 + world.rng.below(100), 1 + world.rng.below(100)];
  const end = world.rng.of(['commit', 'cancel'] as const);
  let [path, line] = ['', ''];
  return [
    async () => {
      const milestones = [{ name: 'Draft', amount: draft }];
      [path, line] = await held(world, { ...body, milestones });
    },
    async () => {
      const milestone = { body: { milestone: 'Draft' }, status: 200 };
      await world.ask({ ...milestone, path: `${path}/release` });
      const part = { line_items: [{ line_item_id: line, amount: back }] };
      await world.ask({ status: 200, path: `${path}/return`, body: part });
    },
    async () => {
      await world.ask({ status: 200, path: `${path}/${end}` });
      const released_amount = end === 'commit' ? amount - back : draft;
      world.gains(cast.seller, released_amount);
      if (byWallet) world.gains(cast.buyer, -released_amount);
      const status = end === 'commit' ? 'COMMITTED' : 'CANCELLED';
      ends(world, path, { status, released_amount, returned_amount: amount - released_amount });
    },
  ];
};

/** Both sides disagree, and one takes what the other proposes, or the tenant decides. */
export const disagreeing: Act = (world, cast) => {
  const { amount, byWallet, body } = sold(world, cast);
  const to_sellers = 1 + world.rng.below(100);
  const to_integrator = 1 + world.rng.below(100);
  const split = { to_sellers, to_buyer: amount - to_sellers - to_integrator, to_integrator };
  const agrees = world.rng.once(2);
  const { buyer, seller } = cast;
  let [path, proposal_id] = ['', ''];
  return [
    async () => void ([path] = await held(world, body)),
    async () => {
      const wish = { opened_by: 'buyer', reason: 'late' };
      await world.ask({ status: 201, path: `${path}/dispute`, body: wish });
      const said = { account_id: seller.account_id, ...split };
      const made = await world.ask({ status: 201, path: `${path}/dispute/proposal`, body: said });
      ({ proposal_id } = field<{ proposal_id: string }>(made, 'proposal'));
    },
    async () => {
      const said = { account_id: buyer.account_id, proposal_id, answer: 'accept' };
      if (agrees) await world.ask({ status: 200, path: `${path}/dispute/answer`, body: said });
      else await world.ask({ status: 200, path: `${path}/resolve`, body: split });
      world.gains(seller, to_sellers);
      if (byWallet) world.gains(buyer, split.to_buyer - amount);
      ends(world, path, { status: 'CANCELLED', held_amount: 0, returned_amount: split.to_buyer });
      const settlement = { by: agrees ? 'agreement' : 'tenant', ...split };
      ends(world, `${path}/dispute`, { status: 'resolved', settlement });
    },
  ];
};

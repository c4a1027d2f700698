// Account merges, and the block that can then no longer be lifted. Whether the source is at rest
// is checked before the decision, so that both answers come, also an outdated one. [G-22]
import { mergeAccounts } from '../../src/product/people/account-merge/decide.ts';
import { accountId } from '../../src/core/ids.ts';
import { aim } from './acts-sales.ts';
import type { Act } from './market.ts';
import { freshId, type Person } from './market-people.ts';
import { CURRENCY, submit } from './memory-core.ts';
import { refused, type Expected, type Model } from './model.ts';

const UNSETTLED = ['DENY', 'PROCESSING', 'MANUAL_REVIEW'];

/** Why two different accounts are not merged for the first time; null where nothing speaks. */
function shut(model: Model, source: number, destination: number, open: boolean): string | null {
  for (const at of [source, destination]) {
    const { mergedInto, blocked } = model.purse(at);
    if (mergedInto !== null) return 'ACCOUNT_MERGED';
    if (blocked) return 'ACCOUNT_BLOCKED';
  }
  const { kept, state } = model.purse(source);
  if (open || kept > 0n) return 'MERGE_SOURCE_NOT_AT_REST';
  return UNSETTLED.includes(state) ? 'MERGE_SOURCE_IDENTITY' : null;
}

/** Takes all that the source may spend to the destination. */
function carry(model: Model, source: number, destination: number): bigint {
  const purse = model.purse(source);
  const amount = purse.spendable;
  purse.spendable = 0n;
  model.credit(destination, amount);
  return amount;
}

const merge: Act = {
  name: 'merge',
  weight: 4,
  alone: true,
  act({ model, people }, rng) {
    const merged = [...people.keys()].filter((at) => model.purse(at).mergedInto !== null);
    const later = rng.mostly(merged, (at) => model.purse(at).spendable > 0n);
    // Rarely anew, since whoever is merged does nothing any more.
    if (later === null && !rng.once(5)) return null;
    const source = later ?? rng.below(people.length);
    const to = model.purse(source).mergedInto ?? rng.below(people.length);
    const owner = aim(rng, (people[source] as Person).id);
    const destination = (people[to] as Person).id;
    const open = rng.once(5) ? (['payment'] as const) : [];
    const block_id = freshId();
    const input = { source: owner.id, destination, open, block_id };
    const expect = (): Expected => {
      if (owner.id === destination) return refused('MERGE_SAME_ACCOUNT');
      if (owner.lost) return refused('ACCOUNT_NOT_FOUND');
      const purse = model.purse(source);
      const follows = purse.mergedInto === to;
      const no = follows ? null : shut(model, source, to, open.length > 0);
      if (no !== null) return refused(no);
      if (follows && purse.spendable === 0n) return refused('ACCOUNT_MERGED');
      const amount = carry(model, source, to);
      if (!follows) {
        Object.assign(purse, { mergedInto: to, blocked: true });
        model.announce('account-block-unblock-webhook', block_id);
      }
      const ids = {
        source_account_id: accountId(owner.id),
        destination_account_id: accountId(destination),
      };
      const balances = amount > 0n ? [{ currency: CURRENCY, amount: Number(amount) }] : [];
      return { is: 'done', payload: { ...ids, balances } };
    };
    return { ...submit(mergeAccounts, input, owner.workspace), expect };
  },
};

export const mergeActs = [merge];

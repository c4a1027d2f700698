// The context of one request, and everything that answering it needs.
import type { ClientApi, Host } from '../client/generated.ts';
import type { Feed, Numbered } from './feed.ts';
import type { Flows } from './flows.ts';
import type { Hooks } from './hooks.ts';
import { Objection, type Reply, type Visit } from './http.ts';
import type { Orders, Standing } from './orders.ts';
import type { People, Person } from './people.ts';

/** Everything that pages need. */
export interface Desk {
  readonly urls: Readonly<Record<Host, string>>;
  readonly holdfast: ClientApi;
  readonly people: People;
  readonly orders: Orders;
  readonly flows: Flows;
  readonly hooks: Hooks;
  readonly feed: Feed;
}

/** One request of a person. `id` is what the path names. */
export interface Turn {
  readonly desk: Desk;
  readonly visit: Visit;
  readonly me: Person;
  readonly id: string;
  /**
   * The notes before anything was read for it. A page follows on from there: an event that comes
   * while it is drawn may have changed what was read, and loads it again.
   */
  readonly notes: readonly Numbered[];
}

/** Answers a request. */
export type Handler = (turn: Turn) => Promise<Reply>;

/** An account's USD minor units: spendable and restricted. */
export async function purseOf(holdfast: ClientApi, account_id: string): Promise<[number, number]> {
  const { balances } = await holdfast.wallets.getBalances({ account_id, currency: 'USD' });
  const { spendable, kept_back } = balances['USD'] ?? {};
  return [spendable?.balance ?? 0, kept_back?.balance ?? 0];
}

/** The order that the path names, for its buyer or seller. Throws Objection 404. */
export async function orderOf({ desk, me, id }: Turn): Promise<Standing> {
  const standing = await desk.orders.find(id, me);
  if (standing !== null) return standing;
  throw new Objection(404, `${me.name} has no such order. Switch to its buyer or seller.`);
}

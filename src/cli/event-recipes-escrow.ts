// How the events of escrows are caused: paid, moved in parts, near a date or the holding limit.
import type { EventName } from '../product/events.ts';
import { passUntil, type Mark, type Recipe } from './event-recipe.ts';
import type { Stage } from './fixtures.ts';

type Told = Extract<EventName, `escrow-${string}`>;

export const ESCROW_EVENT_RECIPES: Readonly<Record<Told, Recipe>> = {
  'escrow-transaction-update': {
    story: 'A new buyer pays an escrow; the money is held.',
    on: 'an escrow: paid when it is open, committed when it holds money',
    make: async (fixtures) => moveEscrow(fixtures, await newEscrow(fixtures)),
    makeOn: moveEscrow,
  },
  'escrow-part-moved': {
    story: 'A new buyer pays an escrow, and a part of it is released to the seller.',
    on: 'an escrow that holds money: one minor unit of it is released',
    make: async (fixtures) => releaseOne(fixtures, await heldEscrow(fixtures)),
    makeOn: releaseOne,
  },
  'escrow-schedule-changed': {
    story: 'A new buyer pays an escrow, and it gets a date for its release.',
    on: 'an escrow that holds money: its release is set to a day from now',
    make: async (fixtures) => schedule(fixtures, await heldEscrow(fixtures)),
    makeOn: schedule,
  },
  'escrow-delivered': {
    story: 'A new buyer pays an escrow, and its seller says that all was delivered.',
    on: 'an escrow that holds money: all of it is reported as delivered',
    make: async (fixtures) => deliver(fixtures, await heldEscrow(fixtures)),
    makeOn: deliver,
  },
  'escrow-date-near': {
    story: 'In a cloned workspace an escrow gets a date, and time passes until it is near.',
    on: 'an escrow that holds money: its release is set, and the clock of your workspace is moved',
    takesTime: true,
    make: async (fixtures) => comeNear(fixtures, await heldEscrow(fixtures)),
    makeOn: comeNear,
  },
  'escrow-expiring': {
    story: 'In a cloned workspace an escrow is paid and time passes until it is about to expire.',
    on: 'an escrow that holds money: the clock of your workspace is moved',
    takesTime: true,
    make: async (fixtures) => expire(fixtures, await heldEscrow(fixtures)),
    makeOn: expire,
  },
};

async function newEscrow(fixtures: Stage): Promise<string> {
  return (await fixtures.sale<{ id: string }>('/v2/escrow')).id;
}

async function moveEscrow(fixtures: Stage, id: string): Promise<Mark> {
  const { status } = await fixtures.get<{ status: string }>('invoicing', `/v2/escrow/${id}`);
  const next = { OPEN: 'pay', ESCROWED: 'commit' }[status];
  if (next === undefined) throw new Error(`The escrow is ${status}: it cannot change any more.`);
  await fixtures.post('invoicing', `/v2/escrow/${id}/${next}`);
  return { id };
}

async function expire(fixtures: Stage, id: string): Promise<Mark> {
  await passUntil(fixtures, id);
  return { id };
}

async function deliver(fixtures: Stage, id: string): Promise<Mark> {
  await fixtures.post('invoicing', `/v2/escrow/${id}/delivered`, {});
  return { id };
}

/** A new escrow that holds money; gives its id. */
export async function heldEscrow(fixtures: Stage): Promise<string> {
  const id = await newEscrow(fixtures);
  await moveEscrow(fixtures, id);
  return id;
}

async function releaseOne(fixtures: Stage, id: string): Promise<Mark> {
  type Seen = { readonly escrow_invoice_id: string };
  type Invoice = { readonly line_items: Readonly<Record<string, unknown>> };
  const { escrow_invoice_id } = await fixtures.get<Seen>('invoicing', `/v2/escrow/${id}`);
  const path = `/v2/invoice/${escrow_invoice_id}`;
  const { line_items } = await fixtures.get<Invoice>('invoicing', path);
  const [line_item_id] = Object.keys(line_items);
  const part = { line_items: [{ line_item_id, amount: 1 }] };
  await fixtures.post('invoicing', `/v2/escrow/${id}/release`, part);
  return { id };
}

const DAY_MS = 86_400_000;

/** A day after the workspace's now, which the clock tells. */
async function schedule(fixtures: Stage, id: string): Promise<Mark> {
  const { now } = await fixtures.get<{ readonly now: string }>('invoicing', '/sandbox/clock');
  const at = new Date(Date.parse(now) + DAY_MS).toISOString().replace('Z', '000Z');
  await fixtures.post('invoicing', `/v2/escrow/${id}/schedule`, { release_at: at });
  return { id };
}

async function comeNear(fixtures: Stage, id: string): Promise<Mark> {
  await schedule(fixtures, id);
  await passUntil(fixtures, id);
  return { id };
}

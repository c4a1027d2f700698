// Event recipes of disputes: on a new card sale, or on a named dispute. [G-93]
import type { EventName } from '../product/events.ts';
import { passUntil, type Mark, type Recipe } from './event-recipe.ts';
import type { Stage } from './fixtures.ts';

interface Dispute {
  readonly dispute_id: string;
}

interface Disputes {
  readonly disputes: readonly Dispute[];
}

export const DISPUTE_EVENT_RECIPES = {
  'dispute-created': {
    story: 'A new buyer pays a new seller by card and disputes the charge.',
    on: 'an invoice or escrow that was paid by card: the charge is disputed',
    make: async (fixtures) => open(fixtures, await newSale(fixtures)),
    makeOn: open,
  },
  'dispute-updated': {
    story: 'The response to a new dispute is under review at the bank.',
    on: 'a dispute that needs a response: it goes under review at the bank',
    make: async (fixtures) => change(fixtures, await newDispute(fixtures), 'dispute_under_review'),
    makeOn: (fixtures, id) => change(fixtures, id, 'dispute_under_review'),
  },
  'dispute-closed': {
    story: 'A new dispute is won.',
    on: 'an open dispute: it is won',
    make: async (fixtures) => change(fixtures, await newDispute(fixtures), 'dispute_won'),
    makeOn: (fixtures, id) => change(fixtures, id, 'dispute_won'),
  },
  'dispute-response-due': {
    story: 'In a cloned workspace a charge is disputed and time passes until the deadline is near.',
    on: 'a dispute that needs a response: the clock of your workspace is moved',
    takesTime: true,
    make: async (fixtures) => comeDue(fixtures, await newDispute(fixtures)),
    makeOn: comeDue,
  },
} satisfies Partial<Record<EventName, Recipe>>;

async function newSale(fixtures: Stage): Promise<string> {
  const { invoice_id } = await fixtures.sale<{ invoice_id: string }>('/v2/invoice', 'visa');
  const path = `/v2/invoice/${invoice_id}`;
  await fixtures.post('invoicing', `${path}/pay`);
  await fixtures.until<{ state: string }>(path, ({ state }) => state === 'success');
  return invoice_id;
}

async function open(fixtures: Stage, id: string): Promise<Mark> {
  await fixtures.post('invoicing', '/sandbox/outside_events', { event: 'chargeback', id });
  return id.startsWith('esc_') ? { escrow_id: id } : { invoice_id: id };
}

async function newDispute(fixtures: Stage): Promise<string> {
  const { invoice_id } = await open(fixtures, await newSale(fixtures));
  const path = `/v1/disputes?invoice_id=${invoice_id}`;
  const found = await fixtures.until<Disputes>(path, ({ disputes }) => disputes.length > 0);
  return (found.disputes[0] as Dispute).dispute_id;
}

async function change(fixtures: Stage, dispute_id: string, event: string): Promise<Mark> {
  await fixtures.post('invoicing', '/sandbox/outside_events', { event, id: dispute_id });
  return { dispute_id };
}

async function comeDue(fixtures: Stage, dispute_id: string): Promise<Mark> {
  await passUntil(fixtures, dispute_id);
  return { dispute_id };
}

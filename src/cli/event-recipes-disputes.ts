// Event recipes of disputes: on a new card sale, or on a named dispute. [G-93]
import type { EventName } from '../product/events.ts';
import type { Mark, Recipe } from './event-recipe.ts';
import type { Stage } from './fixtures.ts';

interface Dispute {
  readonly dispute_id: string;
}

interface Disputes {
  readonly disputes: readonly Dispute[];
}

export const DISPUTE_RECIPES = {
  'dispute-created': {
    story: 'A new buyer pays a new seller by card and disputes the charge.',
    on: 'an invoice or escrow that was paid by card: the charge is disputed',
    make: async (stage) => open(stage, await newSale(stage)),
    makeOn: open,
  },
  'dispute-updated': {
    story: 'The response to a new dispute is under review at the bank.',
    on: 'a dispute that needs a response: it goes under review at the bank',
    make: async (stage) => change(stage, await newDispute(stage), 'dispute_under_review'),
    makeOn: (stage, id) => change(stage, id, 'dispute_under_review'),
  },
  'dispute-closed': {
    story: 'A new dispute is won.',
    on: 'an open dispute: it is won',
    make: async (stage) => change(stage, await newDispute(stage), 'dispute_won'),
    makeOn: (stage, id) => change(stage, id, 'dispute_won'),
  },
} satisfies Partial<Record<EventName, Recipe>>;

async function newSale(stage: Stage): Promise<string> {
  const { invoice_id } = await stage.sale<{ invoice_id: string }>('/v2/invoice', 'visa');
  const path = `/v2/invoice/${invoice_id}`;
  await stage.post('invoicing', `${path}/pay`);
  await stage.until<{ state: string }>(path, ({ state }) => state === 'success');
  return invoice_id;
}

async function open(stage: Stage, id: string): Promise<Mark> {
  await stage.post('invoicing', '/sandbox/outside_events', { event: 'chargeback', id });
  return id.startsWith('esc_') ? { escrow_id: id } : { invoice_id: id };
}

async function newDispute(stage: Stage): Promise<string> {
  const { invoice_id } = await open(stage, await newSale(stage));
  const path = `/v1/disputes?invoice_id=${invoice_id}`;
  const found = await stage.until<Disputes>(path, ({ disputes }) => disputes.length > 0);
  return (found.disputes[0] as Dispute).dispute_id;
}

async function change(stage: Stage, dispute_id: string, event: string): Promise<Mark> {
  await stage.post('invoicing', '/sandbox/outside_events', { event, id: dispute_id });
  return { dispute_id };
}

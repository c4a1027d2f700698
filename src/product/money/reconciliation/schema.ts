// Wire records of reconciliation. Amounts are minor units.
import { z } from 'zod';
import { toWire } from '../../../core/money.ts';
import { optional, strictObject, text } from '../../../core/schema.ts';
import { ITEM_KINDS, type ItemKind, type OpenItem } from './report.ts';
import { DECISIONS } from './resolve.ts';

const DECISION_NAMES = ['give_back', 'accept', 'retry', 'explained'] as const;

export const resolveBody = strictObject({
  decision: z.enum(DECISION_NAMES),
  note: optional(text(1_000)),
});

export const openItemRecord = z.strictObject({
  id: z.string(),
  kind: z.enum(ITEM_KINDS),
  why: z.string(),
  purpose: z.string(),
  resource_id: z.string(),
  currency: z.string(),
  amount: z.int(),
  statement_amount: z.int().nullable(),
  statement_currency: z.string().nullable(),
  processor_reference: z.string(),
  age_seconds: z.int(),
  decisions: z.array(z.enum(DECISION_NAMES)),
});

/** Open items, oldest first, and the count of each kind. */
export const reconciliationRecord = z.strictObject({
  counts: z.strictObject(
    Object.fromEntries(ITEM_KINDS.map((kind) => [kind, z.int()])) as Record<ItemKind, z.ZodInt>,
  ),
  items: z.array(openItemRecord),
});

/** The state of an item after a decision. */
export const resolutionRecord = z.strictObject({
  id: z.string(),
  kind: z.enum(Object.keys(DECISIONS) as (keyof typeof DECISIONS)[]),
  state: z.string(),
});

export function renderItem(item: OpenItem): z.output<typeof openItemRecord> {
  const { id, kind, why, purpose, resource_id, currency, amount, shown_amount } = item;
  return {
    id,
    kind,
    why,
    purpose,
    resource_id,
    currency,
    amount: toWire(amount),
    statement_amount: shown_amount === null ? null : toWire(shown_amount),
    statement_currency: item.shown_currency,
    processor_reference: item.reference,
    age_seconds: item.age_seconds,
    // Money on its way back needs no decision.
    decisions:
      kind in DECISIONS && why !== 'double_capture'
        ? [...DECISIONS[kind as keyof typeof DECISIONS]]
        : [],
  };
}

// The statement of a payout: what came into its wallet and left it since the payout before, read
// from the entries of the ledger, so that it adds up to the payout and what stays. [G-91]
import { z } from 'zod';
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import { displayAmount } from '../../../core/currency.ts';
import { accountId, isUuid } from '../../../core/ids.ts';
import { toWire } from '../../../core/money.ts';
import { strictObject, uuid } from '../../../core/schema.ts';
import { invoiceTime, type Instant } from '../../../core/time.ts';
import { inChain } from '../../../core/by-account.ts';

/** What an entry came from. */
export const ENTRY_KINDS = ['sale', 'purchase', 'refund', 'deposit', 'payout', 'other'] as const;

const entryRecord = strictObject({
  kind: z.enum(ENTRY_KINDS),
  resource_id: uuid(),
  amount: z.int().meta({ description: 'Positive: into the wallet, after fees of the sale.' }),
  display_amount: z.string(),
  created: z.string(),
}).meta({ title: 'PayoutStatementEntry' });

/** A payout's statement in answers. */
export const statementRecord = strictObject({
  payout_status_id: uuid(),
  account_id: z.string(),
  currency: z.string(),
  opening_balance: z.int().meta({ description: 'Left in the wallet by the payout before.' }),
  entries: z.array(entryRecord),
  amount: z.int(),
  fee_amount: z.int(),
  net_amount: z.int(),
  closing_balance: z.int().meta({
    description: 'What stays: the opening balance and all entries, less the amount.',
  }),
}).meta({ title: 'PayoutStatement' });
export type PayoutStatement = z.output<typeof statementRecord>;

interface Row {
  readonly account_id: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly fee_amount: bigint;
  readonly closing: bigint;
  readonly opening: bigint;
  readonly kind: PayoutStatement['entries'][number]['kind'] | null;
  readonly resource_id: string;
  readonly entry: bigint;
  readonly at: Instant;
}

/** SQL: the entry by which payout `p` took its amount out of the wallet. */
const TAKEN = `select q.account_version, q.balance_after from posting q
  where q.workspace = p.workspace and q.resource_id = p.id and q.account_id = p.source_wallet_id
    and q.amount < 0 order by q.version limit 1`;

/** SQL: the wallet's newest entry before, by which another payout took its amount. */
const BEFORE = `select q.account_version, q.balance_after from payout o
  join posting q on q.workspace = o.workspace and q.resource_id = o.id
    and q.account_id = o.source_wallet_id and q.amount < 0
  where o.workspace = p.workspace and o.account_id = p.account_id
    and o.source_wallet_id = p.source_wallet_id and q.account_version < t.account_version
  order by q.account_version desc limit 1`;

/** SQL: what an entry (`q`) of step `s` came from. */
const KIND = `case
    when s.machine in ('refund', 'reversal') then 'refund'
    when s.machine in ('deposit', 'payout') then s.machine
    when s.machine in ('invoice', 'escrow') and exists (select from invoice_document d
      where d.workspace = q.workspace and d.id = q.resource_id
        and sale_term(d.id::text, d.document, 'kind') in ('refund', 'cancel')) then 'refund'
    when s.machine in ('invoice', 'escrow') then
      case when q.amount > 0 then 'sale' else 'purchase' end
    else 'other' end`;

/** The statement of an account's payout, or null. One statement, on the primary. [M19] */
export async function readStatement(
  db: Queryable,
  workspace: number,
  account: string,
  id: string,
): Promise<PayoutStatement | null> {
  if (!isUuid(id)) return null;
  const rows = await db.query<Row>(prepared('payout_statement')`
    select p.account_id, p.currency, p.amount, p.fee_amount, t.balance_after as closing,
      coalesce(b.balance_after, 0) as opening, e.kind, e.resource_id, e.amount as entry, e.at
    from payout p cross join lateral (${raw(TAKEN)}) t left join lateral (${raw(BEFORE)}) b
      on true
    left join lateral (select ${raw(KIND)} as kind, q.resource_id, q.amount, s.at,
      q.account_version
      from posting q cross join lateral (select machine, event, at from history
        where workspace = q.workspace and resource_id = q.resource_id and version = q.version
        limit 1) s
      where q.workspace = p.workspace and ${raw(inChain('q', 'p.source_wallet_id'))}
        and q.account_version > coalesce(b.account_version, 0)
        and q.account_version < t.account_version) e on true
    where p.workspace = ${workspace} and p.account_id = ${account} and p.id = ${id}
      order by e.account_version`);
  const [first] = rows;
  return first === undefined ? null : rendered(id, first, rows);
}

function rendered(id: string, first: Row, rows: readonly Row[]): PayoutStatement {
  const { currency, amount, fee_amount } = first;
  const entries = rows.flatMap(({ kind, resource_id, entry, at }) =>
    kind === null
      ? []
      : [{
          ...{ kind, resource_id, amount: toWire(entry), created: invoiceTime(at) },
          display_amount: displayAmount(entry, currency),
        }],
  );
  return {
    ...{ payout_status_id: id, account_id: accountId(first.account_id), currency },
    opening_balance: toWire(first.opening),
    entries,
    ...{ amount: toWire(amount), fee_amount: toWire(fee_amount) },
    net_amount: toWire(amount - fee_amount),
    closing_balance: toWire(first.closing),
  };
}

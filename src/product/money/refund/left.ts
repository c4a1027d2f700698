// What of a sale may still be refunded, as people are shown it; the command decides under locks.
import { prepared, type Queryable } from '../../../db/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { soldOf } from '../escrow/index.ts';
import { allocationOf, saleTermsOf } from '../invoice/index.ts';
import { allLeft } from './refunded.ts';
import { refundedOf } from './refunded-row.ts';

/** A line item with what may still be refunded of it. */
export interface LineLeft {
  readonly id: string;
  /** What the tenant calls it; '' for nothing. */
  readonly name: string;
  /** Minor units. */
  readonly left: bigint;
}

/** A sale, and what may still be refunded of it in minor units. */
export interface SaleLeft {
  readonly state: string;
  readonly currency: string;
  readonly total: bigint;
  readonly left: bigint;
  readonly lines: readonly LineLeft[];
  /** UUIDs of the buyer's account and of the sellers'. */
  readonly accounts: readonly string[];
}

interface Row {
  readonly id: string;
  readonly document: string;
  readonly state: string;
  readonly escrow_state: string | null;
  readonly course: string | null;
  readonly disputes: string | null;
  readonly lines: string | null;
  readonly methods: string | null;
  readonly taxes: string | null;
}

/** Null for an unknown invoice. */
export async function saleLeft(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<SaleLeft | null> {
  if (!isUuid(id)) return null;
  const [row] = await db.query<Row>(prepared('sale_left')`
    select d.id, d.document, i.state, r.lines, r.methods, r.taxes,
      e.state as escrow_state, e.course, e.disputes
    from invoice i join invoice_document d on d.workspace = i.workspace and d.id = i.id
    left join refunded_amounts r on r.workspace = i.workspace and r.id = i.id
    left join escrow e on e.workspace = i.workspace
      and e.id = sale_term(d.id::text, d.document, 'escrow')::uuid
    where i.workspace = ${workspace} and i.id = ${id}`);
  if (row === undefined) return null;
  const whole = { saleTerms: saleTermsOf(row), allocation: allocationOf(row) };
  const { saleTerms: terms, allocation } = whole;
  const { lines, methods, taxes } = row;
  const none = lines === null || methods === null || taxes === null;
  const refunded = refundedOf(none ? null : { lines, methods, taxes });
  const isSale = terms.kind === undefined || terms.kind === 'escrow';
  const { escrow_state: state, course, disputes } = row;
  const sold = soldOf(whole, state === null ? null : { state, course, disputes });
  const open = isSale && row.state === 'success' && sold !== null;
  const left = open ? BigInt(allLeft(sold.saleTerms, sold.allocation, refunded).amount) : 0n;
  const of = new Map(sold?.saleTerms.lines.map(({ id: line, amount }) => [line, amount]));
  return {
    ...{ state: row.state, currency: allocation.currency, total: BigInt(allocation.total), left },
    lines: terms.lines.map(({ id: line, description, product_sku }) => {
      const rest = BigInt((of.get(line) ?? 0) - (refunded.lines[line] ?? 0));
      const most = rest < left ? rest : left;
      return { id: line, name: description ?? product_sku ?? '', left: most };
    }),
    accounts: [allocation.buyer, ...allocation.credits.map(({ owner }) => owner)],
  };
}

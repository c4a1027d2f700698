// The list of invoices.
import { byParty, byState, column, defineLists } from '../../../core/list.ts';
import { invoiceMachine } from './machine.ts';

const { states } = invoiceMachine;
/**
 * SQL: the terms of sale `of`, as `d`. They are read once for a row, which `offset 0` says, and as
 * `jsonb`, of which looking things up costs little.
 */
export const statedOf = (of: string): string => `left join lateral (
    select i.id, sale_terms(i.id::text, i.document)::jsonb as terms from invoice_document i
    where i.workspace = $1 and i.id = ${of} offset 0) d on true`;
/** Its columns. */
export const SALE = {
  seller_account_id: column.party({
    sql: `d.terms #>> '{lines,0,recipients,0,account_id}'`,
    nullable: true,
  }),
  amount: column.amount({ sql: `(d.terms -> 'total')::bigint` }),
  currency: column.currency({ sql: `d.terms ->> 'currency'` }),
  description: column.text({ sql: `d.terms ->> 'description'`, nullable: true }),
} as const;

export const lists = defineLists([
  {
    name: 'invoices',
    title: 'Invoices',
    hint: 'Create one with POST /v2/invoice.',
    from: 'invoice',
    joined: statedOf('t.id'),
    key: { id: 'uuid' },
    dated: 'id',
    columns: {
      id: column.id(),
      account_id: column.party(),
      ...SALE,
      kind: column.state(['sale', 'escrow', 'commit', 'cancel', 'refund'], {
        sql: `coalesce(d.terms ->> 'kind', 'sale')`,
      }),
      state: column.state(states),
      failure_code: column.text({ nullable: true }),
      created: column.time({ sql: `d.terms ->> 'created'` }),
      updated: column.time(),
    },
    filters: { account_id: { ...byParty('index'), hashed: true }, state: byState(states) },
  },
]);

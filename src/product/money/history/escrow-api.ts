// The operation by which a party of an escrow sees it: what is held for whom, what was moved, and
// what comes next. It names no other party. [G-43, G-94, G-95]
import { z } from 'zod';
import { accountId, uuidOfWireId } from '../../../core/ids.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import { strictObject, uuid } from '../../../core/schema.ts';
import { escrowTime, type Instant } from '../../../core/time.ts';
import { accountNotFoundInBody } from '../../people/account/index.ts';
import { operation } from '../../context.ts';
import {
  readSeenEscrow,
  refusals as ofEscrow,
  viewFor,
  type EscrowState,
  type EscrowView,
  type SeenEscrow,
} from '../escrow/index.ts';
import { disagreementMachine, readDisagreement } from '../disagreement/index.ts';
import { saleTermsOf, type SaleTerms } from '../invoice/index.ts';
import { accountAsked } from './account-asked.ts';
import { money, oneQuery, shown } from './schema.ts';

const STATES = [
  ...(['OPEN', 'ESCROWED', 'ESCROW-FAILED', 'COMMITTED', 'CANCELLED'] as const),
] satisfies readonly EscrowState[];

const movement = strictObject({
  kind: z.enum(['release', 'keep', 'return']),
  ...money('amount'),
  milestone: z.string().optional(),
  created: z.string(),
}).meta({ title: 'SeenMovement' });

const milestone = strictObject({
  name: z.string(),
  status: z.enum(['pending', 'released']),
  ...money('amount'),
  release_at: z.string().optional(),
  delivered: z.string().optional(),
}).meta({ title: 'SeenMilestone' });

const next = strictObject({
  kind: z.enum(['release', 'return']),
  at: z.string(),
  milestone: z.string().optional(),
  ...money('amount'),
}).meta({ title: 'NextOfEscrow', description: 'What happens then, if nobody acts before.' });

const line = strictObject({
  line_item_id: uuid(),
  description: z.string(),
  ...money('amount', 'held'),
}).meta({ title: 'SeenLine', description: '`held` is of the buyer alone; for sellers 0.' });

/** An escrow as its buyer or one of its sellers sees it. */
export const escrowViewRecord = strictObject({
  escrow_id: z.string(),
  account_id: z.string(),
  role: z.enum(['buyer', 'seller']),
  status: z.enum(STATES),
  frozen: z.boolean(),
  description: z.string(),
  created: z.string(),
  currency: z.string(),
  ...money('total', 'released', 'returned', 'kept', 'held'),
  line_items: z.array(line),
  milestones: z.array(milestone),
  movements: z.array(movement),
  next: next.optional(),
  delivered: z.string().optional(),
  disagreement: z.enum(disagreementMachine.states).optional().meta({
    description: 'That of buyer and seller; `GET /v2/escrow/{escrow_id}/dispute` shows it.',
  }),
}).meta({ title: 'EscrowOfParty' });

function recordOf(
  account: string,
  escrow_id: string,
  row: SeenEscrow,
  view: EscrowView,
  { currency, description = '' }: SaleTerms,
): z.output<typeof escrowViewRecord> {
  const { role, lines, total, released, returned, kept, held, coming: [next] } = view;
  const dated = <K extends string>(field: K, at: Instant | null | undefined) =>
    (at ? { [field]: escrowTime(at) } : {}) as Partial<Record<K, string>>;
  const named = (one: string | undefined) => (one === undefined ? {} : { milestone: one });
  const amount = (minor: number) => shown('amount', minor, currency);
  return {
    escrow_id,
    account_id: account,
    role,
    status: row.state,
    frozen: row.time_left !== null,
    // The sale's own description is for its buyer, and may mention other sellers.
    description: role === 'buyer' ? description : '',
    created: escrowTime(row.created),
    currency,
    ...shown('total', total, currency),
    ...shown('released', released, currency),
    ...shown('returned', returned, currency),
    ...shown('kept', kept, currency),
    ...shown('held', held, currency),
    line_items: lines.map((one) => ({
      line_item_id: one.id,
      description: one.description,
      ...amount(one.amount),
      ...shown('held', one.held, currency),
    })),
    milestones: view.milestones.map((one) => ({
      name: one.name,
      status: one.released ? 'released' : 'pending',
      ...amount(one.amount),
      ...dated('release_at', one.at),
      ...dated('delivered', one.delivered),
    })),
    movements: view.parts
      .filter((one) => one.amount > 0)
      .map(({ on, at, ...one }) => ({
        ...{ kind: on, ...amount(one.amount), created: escrowTime(at) },
        ...named(one.milestone),
      })),
    ...(next && {
      next: {
        ...{ kind: next.on, at: escrowTime(next.at), ...amount(next.amount) },
        ...named(next.milestone),
      },
    }),
    ...dated('delivered', view.delivered),
  };
}

export const getEscrowOfParty = operation({
  id: 'getEscrowOfParty',
  route: 'GET invoicing /v2/escrow/{escrow_id}/party',
  summary: 'Retrieves an escrow as its buyer or one of its sellers sees it.',
  cites: 'G-43',
  access: { client: 'read_invoices', session: 'read_invoices' },
  params: strictObject({ escrow_id: z.string() }),
  query: oneQuery,
  answers: { 200: escrowViewRecord },
  refusals: [inputRefusals.MISSING_FIELD, accountNotFoundInBody, ofEscrow.ESCROW_NOT_FOUND],
  async run(services, { caller, params, query }) {
    const account = accountId(await accountAsked(services, caller, query.account_id));
    const id = uuidOfWireId('esc', params.escrow_id);
    const row = id === null ? null : await readSeenEscrow(services.db, caller.workspace, id);
    const terms = row && saleTermsOf(row);
    const view = row && terms && viewFor(account, row, terms);
    if (!view) throw refuse(ofEscrow.ESCROW_NOT_FOUND);
    const disagreement = (await readDisagreement(services.db, caller.workspace, id))?.status;
    const seen = recordOf(account, params.escrow_id, row, view, terms);
    return { status: 200, payload: { ...seen, ...(disagreement && { disagreement }) } };
  },
});

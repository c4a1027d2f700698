// The record of a disagreement and the bodies about it: the one place where its wire fields are
// spelled. [G-96]
import { z } from 'zod';
import { displayAmount } from '../../../core/currency.ts';
import { formsBy } from '../../../core/forms.ts';
import { accountId, wireId } from '../../../core/ids.ts';
import { toWire } from '../../../core/money.ts';
import { amount, list, optional, strictObject, uuid } from '../../../core/schema.ts';
import { escrowTime, instantFromPostgres, type Instant } from '../../../core/time.ts';
import { invoiceOf } from '../escrow/index.ts';
import { fileNameOf, pieceFields } from '../evidence/index.ts';
import { disagreementMachine, type DisagreementState } from './machine.ts';
import type { SplitWish, Sums } from './split.ts';
import { OPENERS, OUTCOMES, REASONS, SIDES, type DisagreementRow, type Side } from './tables.ts';

const shown = (minor: number) => amount().meta({ examples: [minor] });
const sums = { to_sellers: shown(4), to_buyer: shown(5), to_integrator: shown(1) };

/** Who said how the money is divided. */
export const SETTLERS = ['tenant', 'agreement', 'default'] as const;

const statement = strictObject({
  statement_id: uuid(),
  side: z.enum(SIDES),
  account_id: z.string(),
  /** Of ours, such as `statement.pdf`; '' for a text. */
  file_name: z.string(),
  created: z.string(),
}).meta({ title: 'StatementOfDisagreement' });

const proposal = strictObject({
  proposal_id: uuid(),
  side: z.enum(SIDES),
  ...sums,
  created: z.string(),
}).meta({ title: 'ProposedSplit' });

const settlement = strictObject({ by: z.enum(SETTLERS), ...sums }).meta({ title: 'SettledSplit' });

/** A disagreement in answers and events; what was stated is read one by one. */
export const disagreementRecord = strictObject({
  disagreement_id: uuid(),
  escrow_id: z.string(),
  escrow_invoice_id: z.string(),
  /** The buyer. */
  account_id: z.string(),
  status: z.enum(disagreementMachine.states),
  opened_by: z.enum(OPENERS),
  reason: z.enum(REASONS),
  /** What was held when it was opened. */
  amount: z.int(),
  currency: z.string(),
  display_amount: z.string(),
  default_outcome: z.enum(OUTCOMES).meta({
    description: 'What happens at `due_by`: all to one side, or `none`: a person decides.',
  }),
  due_by: z.string(),
  /** In the order in which they were made. */
  statements: z.array(statement),
  /** The one on the table; absent: none is. */
  proposal: proposal.optional(),
  /** How what was held was divided; absent while it is open, and where a dispute ended it. */
  settlement: settlement.optional(),
  created: z.string(),
  updated: z.string(),
}).meta({ title: 'Disagreement' });
export type DisagreementRecord = z.output<typeof disagreementRecord>;

/** What one statement says. */
export const statementRecord = strictObject({
  ...statement.shape,
  /** '' for a file. */
  text: z.string(),
  /** A data URI; '' for a text. */
  file: z.string(),
}).meta({ title: 'Statement' });

export const openBody = strictObject({
  opened_by: z.enum(OPENERS).meta({ description: 'A session opens as the side that it is on.' }),
  reason: z.enum(REASONS),
}).meta({ title: 'DisagreementWish' });

const party = {
  account_id: optional(z.string().max(64)).meta({
    description: 'Whose word it is: the buyer or a seller. A session speaks for itself.',
    examples: ['acct_01k0epwyggfgz9tmhzde54rbgg'],
  }),
};

/** A text or a file. */
export const statementBody = strictObject({ ...party, ...pieceFields }).meta({
  title: 'StatementWish',
});

const lineSums = strictObject({ line_item_id: z.string().max(36), ...sums });
const lines = { line_items: list(lineSums).min(1) };

/** A split: sums for the whole, or for each line item. */
export const splitBody = formsBy(
  'line_items',
  strictObject(sums).meta({ title: 'SplitOfEscrow' }),
  strictObject(lines).meta({ title: 'SplitByLine' }),
);
export const proposalBody = formsBy(
  'line_items',
  strictObject({ ...party, ...sums }).meta({ title: 'ProposalOfSplit' }),
  strictObject({ ...party, ...lines }).meta({ title: 'ProposalByLine' }),
);
export const answerBody = strictObject({
  ...party,
  proposal_id: uuid(),
  answer: z.enum(['accept', 'decline']),
}).meta({ title: 'ProposalReply' });

/** What is kept of a proposal: it as it was made too. */
export interface Proposal extends Sums {
  readonly id: string;
  readonly side: Side;
  readonly at: Instant;
  readonly wish: SplitWish;
}

export interface Settlement extends Sums {
  readonly by: (typeof SETTLERS)[number];
}

/** What a step repeats. */
export interface Said {
  readonly proposal: Proposal | null;
  readonly settlement: Settlement | null;
}

/** A statement in JSON, as SQL gives it. */
interface Stated {
  readonly id: string;
  readonly side: Side;
  readonly account: string;
  readonly mime: string | null;
  readonly created: string;
}

export type DisagreementFacts = Pick<
  DisagreementRow,
  | ('id' | 'escrow_id' | 'account_id' | 'opened_by' | 'reason' | 'currency' | 'held')
  | ('outcome' | 'due_by' | 'created')
>;

/** The part that changes. */
export interface DisagreementMoment extends Said {
  readonly state: DisagreementState;
  readonly updated: Instant;
  /** JSON. */
  readonly statements: string;
}

/** The record at one moment. */
export function renderDisagreement(
  facts: DisagreementFacts,
  moment: DisagreementMoment,
): DisagreementRecord {
  const { escrow_id, currency } = facts;
  const held = toWire(facts.held);
  const { proposal: on, settlement: settled } = moment;
  return {
    disagreement_id: facts.id,
    escrow_id: wireId('esc', escrow_id),
    escrow_invoice_id: invoiceOf(escrow_id, 'escrow'),
    account_id: accountId(facts.account_id),
    status: moment.state,
    opened_by: facts.opened_by,
    reason: facts.reason,
    amount: held,
    currency,
    display_amount: displayAmount(held, currency),
    default_outcome: facts.outcome,
    due_by: escrowTime(facts.due_by),
    statements: (JSON.parse(moment.statements) as Stated[]).map(renderStatement),
    ...(on && {
      proposal: { proposal_id: on.id, side: on.side, ...sumsIn(on), created: escrowTime(on.at) },
    }),
    ...(settled && { settlement: { by: settled.by, ...sumsIn(settled) } }),
    created: escrowTime(facts.created),
    updated: escrowTime(moment.updated),
  };
}

function sumsIn({ to_sellers, to_buyer, to_integrator }: Sums): Sums {
  return { to_sellers, to_buyer, to_integrator };
}

function renderStatement({ id, side, account, mime, created }: Stated) {
  return {
    statement_id: id,
    side,
    account_id: accountId(account),
    file_name: fileNameOf('statement', mime),
    created: escrowTime(instantFromPostgres(created)),
  };
}

// The commands of disagreements: opened, stated, proposed, answered, resolved. Each goes together
// with what it does to the escrow. Pure. [G-96]
import { EngineFault, type Command, type Decision, type ReadSet } from '../../../engine/index.ts';
import type { OnOf } from '../../../core/machine.ts';
import { refuse } from '../../../core/refusal.ts';
import { addSeconds } from '../../../core/time.ts';
import {
  disputesOf,
  divide,
  heldOf,
  loadReleasing,
  loadReturning,
  refusals as ofEscrow,
  requireEscrow,
  setDisagreement,
  warningSeconds,
  type Escrow,
  type LoadedEscrow,
} from '../escrow/index.ts';
import { isTooMuch } from '../evidence/index.ts';
import { disagreementMachine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import type { Proposal, Said, Settlement } from './schema.ts';
import { divisionOf, sumsOf, type Division, type SplitWish } from './split.ts';
import {
  disagreementOf,
  disagreementTable,
  statementsOf,
  statementTable,
  type DisagreementRow,
  type Outcome,
  type Side,
} from './tables.ts';

const DAY = 86_400;

/** Whose word it is: an account (on the wire), or the tenant. */
export interface Word {
  /** UUID; null for a malformed id. */
  readonly escrowId: string | null;
  /** Null: the tenant's own. */
  readonly account: string | null;
  /** A stranger's session is answered as if there were no escrow. */
  readonly session: boolean;
}

interface Loaded {
  readonly escrow: LoadedEscrow | null;
  readonly row: DisagreementRow | null;
}

/** Locks the escrow, who may be paid from it, and its disagreement. */
export function load(rows: ReadSet, { escrowId }: Pick<Word, 'escrowId'>): Loaded {
  const escrow = loadReleasing(rows, { escrowId });
  loadReturning(rows, { escrowId });
  if (escrow === null) return { escrow, row: null };
  const id = disagreementOf(escrow.id);
  rows.find(statementsOf, id);
  const known = rows.read(disagreementTable, id);
  return { escrow, row: known && rows.lock(disagreementTable, id) };
}

/** The side of whoever speaks; null for the tenant. Throws a Refusal for a stranger. */
function sideOf({ saleTerms }: Escrow, { account, session }: Word): Side | null {
  if (account === null) return null;
  if (account === saleTerms.account_id) return 'buyer';
  const sells = saleTerms.lines.some(({ recipients }) => {
    return recipients.some(({ account_id }) => account_id === account);
  });
  if (sells) return 'seller';
  if (session) throw refuse(ofEscrow.ESCROW_NOT_FOUND);
  throw refuse(no.DISAGREEMENT_STRANGER, { account_id: 'is no side of the escrow' });
}

/** The side that must speak. */
function sideIn(escrow: Escrow, word: Word): Side {
  const side = sideOf(escrow, word);
  if (side === null) throw new EngineFault('a side was not named');
  return side;
}

/** What is on the table of a disagreement. */
export function saidOf({ proposal, settlement }: DisagreementRow): Said {
  return {
    proposal: proposal === null ? null : (JSON.parse(proposal) as Proposal),
    settlement: settlement === null ? null : (JSON.parse(settlement) as Settlement),
  };
}

function requireOpen({ row }: Loaded): DisagreementRow {
  if (row === null) throw refuse(no.DISAGREEMENT_NOT_FOUND);
  if (row.state !== 'open') throw refuse(no.DISAGREEMENT_NOT_OPEN);
  return row;
}

/** The answer that shows the disagreement at a version; the record composes it. */
function shown(status: 200 | 201, id: string, version: number) {
  return { status, payload: null, record: { kind: 'disagreement', id, version } };
}

/** A step of a disagreement that stays open; gives the version. */
export function stay(
  decision: Decision,
  row: DisagreementRow,
  on: OnOf<typeof disagreementMachine>,
  patch: Partial<DisagreementRow> = {},
): number {
  const said = saidOf({ ...row, ...patch });
  return decision.move(disagreementMachine, disagreementTable, row.id, on, 'open', patch, said);
}

export interface Opening extends Word {
  readonly openedBy: DisagreementRow['opened_by'];
  readonly reason: DisagreementRow['reason'];
  /** What the tenant set for disagreements that are opened now. */
  readonly days: number;
  readonly outcome: Outcome;
}

/** Opens a disagreement, which freezes the escrow. */
export const openDisagreement: Command<Opening> = {
  name: 'open_disagreement',
  highPriority: true,
  load,
  decide(decision, input, loaded) {
    const { openedBy: opened_by, reason, days, outcome } = input;
    const { row: before, escrow: known } = loaded as Loaded;
    const escrow = requireEscrow(known);
    const side = sideOf(escrow, input);
    if (side !== null && side !== opened_by) {
      throw refuse(no.DISAGREEMENT_WRONG_SIDE, { opened_by: `must be ${side}` });
    }
    if (before !== null) throw refuse(no.DISAGREEMENT_EXISTS);
    if (escrow.row.state !== 'ESCROWED') throw refuse(ofEscrow.ESCROW_NOT_ESCROWED);
    const { workspace, now } = decision;
    const limit = days * DAY;
    const id = disagreementOf(escrow.id);
    const row: DisagreementRow = {
      ...{ workspace, id, escrow_id: escrow.id, account_id: escrow.row.account_id },
      ...{ opened_by, reason, outcome, currency: escrow.allocation.currency },
      held: BigInt(heldOf(escrow).total),
      due_by: addSeconds(now, limit),
      due: addSeconds(now, limit - warningSeconds(limit)),
      ...{ proposal: null, settlement: null },
      ...{ created: now, state: 'open', version: 1, updated: now },
    };
    const said = saidOf(row);
    decision.create(disagreementMachine, disagreementTable, 'open', row, said);
    setDisagreement(decision, escrow.id, true, 'disagree');
    return shown(201, id, 1);
  },
};

/** A statement whose content is stored. */
export interface NewStatement extends Word {
  readonly id: string;
  /** UUID of whoever states it. */
  readonly person: string;
  readonly mime: string | null;
  readonly size: number;
}

/** Adds what a side stated. */
export const addStatement: Command<NewStatement> = {
  name: 'add_statement',
  load,
  decide(decision, input, loaded) {
    const { id, person: account_id, mime, size } = input;
    const side = sideIn(requireEscrow((loaded as Loaded).escrow), input);
    const row = requireOpen(loaded as Loaded);
    const before = decision.find(statementsOf, row.id);
    if (isTooMuch(before, { mime, size })) throw refuse(no.DISAGREEMENT_TOO_MUCH_EVIDENCE);
    const version = stay(decision, row, 'state');
    const { workspace, now: created } = decision;
    const piece = { id, disagreement_id: row.id, account_id, side, mime, size, version, created };
    decision.insert(statementTable, { workspace, ...piece });
    return shown(201, row.id, version);
  },
};

export interface Proposing extends Word {
  readonly id: string;
  readonly wish: SplitWish;
}

/** Puts a split on the table, in place of one before. */
export const proposeSplit: Command<Proposing> = {
  name: 'propose_split',
  load,
  decide(decision, input, loaded) {
    const escrow = requireEscrow((loaded as Loaded).escrow);
    const side = sideIn(escrow, input);
    const row = requireOpen(loaded as Loaded);
    const sellers = new Set(escrow.allocation.credits.map(({ owner }) => owner));
    if (sellers.size > 1) throw refuse(no.DISAGREEMENT_SEVERAL_SELLERS);
    const { id, wish } = input;
    const sums = sumsOf(divisionOf(escrow, wish, 'sides'));
    const proposal: Proposal = { id, side, ...sums, at: decision.now, wish };
    const patch = { proposal: JSON.stringify(proposal) };
    return shown(201, row.id, stay(decision, row, 'propose', patch));
  },
};

export interface Answering extends Word {
  readonly proposal: string;
  readonly accepts: boolean;
}

/** The other side's word about the proposal: what is held is divided so, or it is gone. */
export const answerProposal: Command<Answering> = {
  name: 'answer_proposal',
  highPriority: true,
  load,
  decide(decision, input, loaded) {
    const escrow = requireEscrow((loaded as Loaded).escrow);
    const side = sideIn(escrow, input);
    const row = requireOpen(loaded as Loaded);
    const { proposal } = saidOf(row);
    if (proposal?.id !== input.proposal) throw refuse(no.DISAGREEMENT_NO_PROPOSAL);
    if (proposal.side === side) throw refuse(no.DISAGREEMENT_OWN_PROPOSAL);
    if (!input.accepts) {
      return shown(200, row.id, stay(decision, row, 'decline', { proposal: null }));
    }
    const division = divisionOf(escrow, proposal.wish, 'sides');
    return shown(200, row.id, settle(decision, { escrow, row }, 'accept', division, 'agreement'));
  },
};

export interface Resolving extends Word {
  readonly wish: SplitWish;
}

/** The tenant divides what is held. */
export const resolveDisagreement: Command<Resolving> = {
  name: 'resolve_disagreement',
  highPriority: true,
  load,
  decide(decision, { wish }, loaded) {
    const escrow = requireEscrow((loaded as Loaded).escrow);
    const row = requireOpen(loaded as Loaded);
    const division = divisionOf(escrow, wish, 'tenant');
    return shown(200, row.id, settle(decision, { escrow, row }, 'resolve', division, 'tenant'));
  },
};

/**
 * Divides all that is held, which ends escrow and disagreement; gives the version. Throws a Refusal
 * while a charge is disputed at the bank: what is held is not known then.
 */
export function settle(
  decision: Decision,
  { escrow, row }: { readonly escrow: Escrow; readonly row: DisagreementRow },
  on: 'accept' | 'resolve' | 'default',
  division: Division,
  by: Settlement['by'],
): number {
  if (disputesOf(escrow.row).open > 0) throw refuse(ofEscrow.ESCROW_DISPUTED);
  const settlement: Settlement = { by, ...sumsOf(division) };
  setDisagreement(decision, escrow.id, undefined, 'settle');
  divide(decision, escrow.id, division);
  const patch = { due: null, proposal: null, settlement: JSON.stringify(settlement) };
  const said = { proposal: null, settlement };
  return decision.move(disagreementMachine, disagreementTable, row.id, on, 'resolved', patch, said);
}

// What an escrow's money does, in plain words: where it is, what moves it next by itself, and what
// keeps it from moving. [G-42, G-93 to G-96]
import { displayAmount } from '../../../core/currency.ts';
import { ofEscrowTime } from '../../../core/time.ts';
import { readDisagreement } from '../../money/disagreement/index.ts';
import { readWhole, type WholeEscrow } from '../../money/escrow/index.ts';
import type { Question } from './source.ts';
import type { NextStep } from './schema.ts';

/** How the money of an escrow stands, as a clause, and what comes next for it. */
export interface EscrowStanding {
  readonly money: string;
  readonly next: readonly NextStep[];
  /** True where its sides disagree: nothing else moves it. */
  readonly disputed?: true;
}

/** The escrow that is explained, itself or by an invoice of it; null for none, or an unpaid one. */
export async function escrowStanding(q: Question): Promise<EscrowStanding | null> {
  const { db, workspace, subject, kinds } = q;
  if (subject.kind !== 'escrow' && subject.kind !== 'invoice') return null;
  const [id] = [...kinds].find(([, kind]) => kind === 'escrow') ?? [];
  const escrow = id === undefined ? null : await readWhole(db, workspace, id);
  if (id === undefined || escrow === null || escrow.state === 'OPEN') return null;
  const money = moneyOf(escrow);
  if (escrow.frozen === null) return { money, next: comingOf(escrow) };
  if (escrow.frozen === 'dispute') {
    const what = 'a charge is disputed at the bank: nothing moves until that has ended';
    return { money, next: [{ what, by: 'processor', at: null, text: what }] };
  }
  return { money, next: await deciding(q, id, escrow), disputed: true };
}

/** What of the sale is where; '' where all of it is held, as nothing has moved. */
function moneyOf({ total, held, currency, ...escrow }: WholeEscrow): string {
  if (held === total) return '';
  const where = [
    [escrow.released, 'released to the sellers'],
    [escrow.returned, 'returned to the buyer'],
    [escrow.kept, 'kept by the integrator'],
    [escrow.taken, 'taken by disputes'],
    [held, 'held'],
  ] as const;
  const told = where.filter(([amount]) => amount > 0);
  const said = told.map(([amount, words]) => `${displayAmount(amount, currency)} ${words}`);
  return `of ${displayAmount(total, currency)}: ${said.join(', ')}`;
}

const TO = { release: 'released to the sellers', return: 'returned to the buyer' } as const;

function comingOf({ coming, dates, currency }: WholeEscrow): readonly NextStep[] {
  return coming.map(({ on, at, amount, milestone }, n) => {
    const of = milestone === undefined ? '' : ` for the milestone "${milestone}"`;
    const date = milestone !== undefined || at === dates.release_at || at === dates.return_at;
    const limit = date ? '' : ', the holding limit';
    const what = `${displayAmount(amount, currency)}${of} is ${TO[on]}`;
    const unless = n > 0 ? '' : `${date ? '' : ','} if nobody does anything`;
    return { what, by: 'system', at, text: `${what} at ${shown(at)}${limit}${unless}` };
  });
}

/** What ends a disagreement: somebody's word, or its limit. */
async function deciding(
  { db, workspace }: Question,
  id: string,
  { held, currency }: WholeEscrow,
): Promise<readonly NextStep[]> {
  const record = await readDisagreement(db, workspace, id);
  if (record === null) return [];
  const { due_by, default_outcome: outcome } = record;
  const at = ofEscrowTime(due_by);
  const what = outcome === 'none'
    ? 'the limit of the disagreement passes, and it waits for a person'
    : `${displayAmount(held, currency)} goes to the ${outcome}`;
  const decide = 'divide what is held, which ends the disagreement';
  return [
    { what, by: 'system', at, text: `${what} at ${shown(at)} if nobody decides` },
    { what: decide, by: 'caller', at: null, text: `${decide} (caller)` },
  ];
}

function shown(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}`;
}

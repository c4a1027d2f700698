// What each named movement takes money from and gives it to, and the rows of all lifecycles: what a
// move announced and posted is held against these.
import { machines } from '../../src/catalogue.ts';
import { postsOf, type Move } from '../../src/core/machine.ts';
import type { SystemAccountKind } from '../../src/ledger/index.ts';
import { BALANCED } from '../../src/product/money/act/index.ts';

export type Kind = SystemAccountKind | 'wallet' | 'kept_back';

const PAID_FROM = ['wallet', 'holding', 'processor_clearing'] as const;
/** Of a settled statement row: a fee goes the other way, and one with refunds moves on. */
const SETTLED = [
  ...(['processor_clearing', 'processor_available', 'in_transit'] as const),
  ...(['processor_fees', 'unreturned_fees', 'dispute_fees'] as const),
];
const OWNERS = ['wallet', 'kept_back', 'integrator_share'] as const;
const SOLD = [...OWNERS, 'tax_collected'] as const;

/** What each named movement takes money from and gives it to. */
const MOVEMENTS: Readonly<Record<string, readonly [from: readonly Kind[], to: readonly Kind[]]>> = {
  hold_wallet_parts: [['wallet'], ['holding']],
  release_wallet_parts: [['holding'], ['wallet']],
  settle: [PAID_FROM, SOLD],
  hold_in_escrow: [PAID_FROM, ['escrow']],
  commit_escrow: [['escrow'], SOLD],
  give_back: [['escrow', 'integrator_share', 'tax_collected'], ['wallet', 'refund_pending']],
  clear_sent: [['refund_pending'], ['processor_clearing']],
  keep_for_integrator: [['processor_clearing'], ['integrator_share']],
  return_unsent: [['refund_pending'], ['integrator_share', 'tax_collected']],
  reverse: [['escrow', 'reversals'], ['processor_clearing']],
  cover: [['integrator_share'], ['reversals']],
  restore: [['processor_clearing'], ['escrow', 'reversals', 'integrator_share']],
  deposit: [['processor_clearing', 'sandbox_funding', 'bank', 'bank_unallocated'], OWNERS],
  bank_in: [['bank'], ['bank_unallocated']],
  bank_out: [['bank_unallocated'], ['bank']],
  book_bank_row: [
    ['bank', 'bank_fees', 'own_payments', 'bank_reversals'],
    ['bank', 'bank_fees', 'own_payments', 'bank_reversals'],
  ],
  cover_openings: [['bank', 'bank_unallocated'], ['opening_balances']],
  opening_balances: [['opening_balances'], ['wallet', 'kept_back']],
  hold_payout: [['wallet'], ['payout_pending']],
  give_back_payout: [['payout_pending'], ['wallet']],
  hand_over_payouts: [['payout_pending'], ['payout_handed_over']],
  free_handed_over: [['payout_handed_over'], ['payout_pending']],
  pay_out: [
    ['payout_pending', 'payout_handed_over'],
    ['processor_clearing', 'bank', 'payout_fees'],
  ],
  take_back_payout: [['processor_clearing', 'bank', 'payout_fees'], ['payout_pending']],
  move_balances: [['wallet'], ['wallet', 'kept_back']],
  release_restricted: [['kept_back'], ['wallet']],
  release_reserve: [['kept_back'], ['wallet']],
  cover_from_reserve: [['kept_back'], ['integrator_share']],
  book_second_capture: [['processor_clearing'], ['unexplained']],
  book_fee: [SETTLED, SETTLED],
  make_available: [SETTLED, SETTLED],
  send_to_bank: [['in_transit', 'processor_fees'], ['processor_available']],
  arrive_at_bank: [['bank'], ['in_transit']],
  clear_second_capture: [['unexplained'], ['processor_clearing']],
  balance_books: [BALANCED, BALANCED],
};

export interface Leg {
  readonly kind: Kind;
  /** False where it gives. */
  readonly gets: boolean;
}

/** An arrow by its name; '' is the state before the first. */
export function arrowName(
  machine: string,
  { from, on, to }: Pick<Move, 'from' | 'on' | 'to'>,
): string {
  return `${machine}: ${from ?? ''} -${on}-> ${to}`;
}

/** The row of each arrow. */
export const rowsByArrow: ReadonlyMap<string, Move> = new Map(
  machines.flatMap(({ name, moves }) => moves.map((move) => [arrowName(name, move), move])),
);

/** The movement of the row that an entry is; undefined where the row names none like it. */
export function movementOf(row: Move, entry: readonly Leg[]): string | undefined {
  return postsOf(row).find((name) => {
    const [from, to] = MOVEMENTS[name] ?? [[], []];
    return entry.every(({ kind, gets }) => (gets ? to : from).includes(kind));
  });
}

/** An entry in words. */
export function shownEntry(entry: readonly Leg[]): string {
  return entry.map(({ kind, gets }) => `${gets ? '+' : '-'}${kind}`).join(' ');
}

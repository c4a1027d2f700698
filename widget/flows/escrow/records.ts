// An escrow as the platform shows it to one of its parties, and its texts. [G-94, G-95]
import { amountText } from '../kit/money-text.ts';
import { dateText } from '../kit/date.ts';
import { t, type Key } from '../texts.ts';

export interface Milestone {
  readonly name: string;
  readonly status: 'pending' | 'released';
  readonly amount_display: string;
  readonly release_at?: string;
  readonly delivered?: string;
}

export interface Line {
  readonly line_item_id: string;
  readonly description: string;
  readonly amount_display: string;
  readonly held: number;
  readonly held_display: string;
}

export interface EscrowOfParty {
  readonly escrow_id: string;
  readonly role: 'buyer' | 'seller';
  readonly status: 'OPEN' | 'ESCROWED' | 'ESCROW-FAILED' | 'COMMITTED' | 'CANCELLED';
  readonly frozen: boolean;
  readonly description: string;
  readonly total_display: string;
  readonly released: number;
  readonly released_display: string;
  readonly returned: number;
  readonly returned_display: string;
  /** What the shop alone got. */
  readonly kept: number;
  readonly kept_display: string;
  readonly held: number;
  readonly held_display: string;
  readonly line_items: readonly Line[];
  readonly milestones: readonly Milestone[];
  readonly movements: readonly {
    readonly kind: 'release' | 'keep' | 'return';
    readonly amount_display: string;
    readonly milestone?: string;
    readonly created: string;
  }[];
  readonly next?: {
    readonly kind: 'release' | 'return';
    readonly at: string;
    readonly milestone?: string;
    readonly amount_display: string;
  };
  readonly delivered?: string;
  /** Of buyer and seller; absent: none was opened. */
  readonly disagreement?: 'open' | 'resolved' | 'closed';
}

const BY_ROLE = {
  held: { buyer: 'escrow.held_for_seller', seller: 'escrow.held_for_you' },
  release: { buyer: 'escrow.to_seller', seller: 'escrow.to_you' },
  return: { buyer: 'escrow.back_to_you', seller: 'escrow.back_to_buyer' },
  next_release: { buyer: 'escrow.next_to_seller', seller: 'escrow.next_to_you' },
  next_return: { buyer: 'escrow.next_back_to_you', seller: 'escrow.next_back_to_buyer' },
} as const satisfies Readonly<Record<string, Record<EscrowOfParty['role'], Key>>>;

/** Where the money is, in a sentence. */
export function statusText({ status, frozen, role, ...one }: EscrowOfParty): string {
  if (status === 'OPEN') return t('escrow.not_paid');
  if (status === 'ESCROW-FAILED') return t('escrow.failed');
  if (frozen) return t('escrow.frozen');
  if (status === 'ESCROWED') return t(BY_ROLE.held[role]);
  // What the shop kept is told by the sums: no sentence that names two sides is true of it.
  if (one.kept > 0) return t('escrow.settled');
  if (one.released > 0 && one.returned > 0) return t('escrow.divided');
  return t(BY_ROLE[status === 'COMMITTED' ? 'release' : 'return'][role]);
}

/** The sums of an escrow: what is not zero, and the total. */
export function sumsOf(one: EscrowOfParty): readonly (readonly [name: string, amount: string])[] {
  const { role } = one;
  const all = [
    [t('escrow.held'), one.held_display, one.held],
    [t(BY_ROLE.release[role]), one.released_display, one.released],
    [t(BY_ROLE.return[role]), one.returned_display, one.returned],
    [t('escrow.kept'), one.kept_display, one.kept],
    [t('escrow.total'), one.total_display, 1],
  ] as const;
  return all.filter(([, , minor]) => minor > 0).map(([name, amount]) => [name, amount]);
}

/** What comes by itself; null for nothing. */
export function nextText({ next, role }: EscrowOfParty): string | null {
  if (next === undefined) return null;
  const values = { amount: amountText(next.amount_display), date: dateText(next.at) };
  return t(BY_ROLE[`next_${next.kind}`][role], values);
}

/** How far a milestone is. */
export function milestoneText({ status, release_at, delivered }: Milestone): string {
  if (status === 'released') return t('escrow.released');
  const told = [
    ...(delivered === undefined ? [] : [t('escrow.delivered_on', { date: dateText(delivered) })]),
    release_at === undefined
      ? t('escrow.held')
      : t('escrow.released_on', { date: dateText(release_at) }),
  ];
  return told.join(' · ');
}

/** What a movement was, and when. */
export function movementText(
  { role }: EscrowOfParty,
  { kind, milestone, created }: EscrowOfParty['movements'][number],
): string {
  const what = kind === 'keep' ? t('escrow.kept') : t(BY_ROLE[kind][role]);
  // A name in another script must not draw the day's number to it.
  const named = milestone === undefined ? [] : [`\u2068${milestone}\u2069`];
  return [what, ...named, dateText(created)].join(' · ');
}

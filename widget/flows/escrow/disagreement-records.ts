// A disagreement about an escrow as the platform shows it to both sides, what was stated in it, and
// the words for it. [G-96]
import { ApiError } from '../api.ts';
import type { FlowContext } from '../flow.ts';
import { dateText } from '../kit/date.ts';
import { moneyText } from '../kit/money-text.ts';
import { sentenceOf } from '../methods/load.ts';
import { t } from '../texts.ts';
import type { EscrowOfParty } from './records.ts';

export type Side = EscrowOfParty['role'];

/** Minor units for each. */
export interface Sums {
  readonly to_sellers: number;
  readonly to_buyer: number;
  readonly to_integrator: number;
}

export interface Disagreement {
  readonly status: 'open' | 'resolved' | 'closed';
  readonly opened_by: Side | 'tenant';
  readonly reason: (typeof REASONS)[number];
  readonly amount: number;
  readonly currency: string;
  readonly default_outcome: 'buyer' | 'sellers' | 'none';
  readonly due_by: string;
  readonly statements: readonly {
    readonly statement_id: string;
    readonly side: Side;
    readonly file_name: string;
    readonly created: string;
  }[];
  readonly proposal?: Sums & { readonly proposal_id: string; readonly side: Side };
  readonly settlement?: Sums & { readonly by: 'tenant' | 'agreement' | 'default' };
}

export const REASONS = [
  ...(['not_received', 'not_as_described', 'unfinished', 'damaged', 'late', 'other'] as const),
] as const;

/** A disagreement with what its texts say, by their ids; what was erased is missing. */
export interface Seen {
  readonly one: Disagreement;
  readonly texts: ReadonlyMap<string, string>;
}

/** The address of an escrow's disagreement. */
export function pathOf({ escrow_id }: EscrowOfParty): string {
  return `/invoicing/v2/escrow/${encodeURIComponent(escrow_id)}/dispute`;
}

/** What one statement says. Throws ApiError. */
export function statementOf({ api }: FlowContext, path: string, id: string) {
  return api.get<{ readonly text: string; readonly file: string }>(`${path}/statements/${id}`);
}

/** The disagreement and its texts. Throws ApiError. */
export async function readSeen(context: FlowContext, path: string): Promise<Seen> {
  const one = await context.api.get<Disagreement>(path);
  const texts = one.statements.filter(({ file_name }) => file_name === '');
  const read = texts.map(async ({ statement_id: id }) => {
    const said = await statementOf(context, path, id).catch(() => null);
    return said === null ? [] : [[id, said.text] as const];
  });
  return { one, texts: new Map((await Promise.all(read)).flat()) };
}

/** Where it stands, in a sentence. */
export function standingText({ status, settlement }: Disagreement, shop: string): string {
  if (status === 'open') return t('disagreement.open', { shop });
  if (settlement === undefined) return t('disagreement.closed');
  return t(`disagreement.settled_${settlement.by}`, { shop });
}

/** What happens at its limit. */
export function limitText({ default_outcome, due_by }: Disagreement, shop: string): string {
  return t(`disagreement.limit_${default_outcome}`, { date: dateText(due_by), shop });
}

/** Who that is, to whoever reads it. */
export function whoText(side: Disagreement['opened_by'], own: Side, shop: string): string {
  if (side === own) return t('disagreement.you');
  if (side === 'tenant') return shop;
  return t(side === 'buyer' ? 'disagreement.buyer' : 'disagreement.seller');
}

/** What a split gives to each, in words; nothing for the shop is left out. */
export function splitOf(
  { to_sellers, to_buyer, to_integrator }: Sums,
  { currency }: Disagreement,
  shop: string,
): readonly (readonly [name: string, amount: string])[] {
  const all = [
    [t('disagreement.to_seller'), moneyText(to_sellers, currency)],
    [t('disagreement.to_buyer'), moneyText(to_buyer, currency)],
  ] as const;
  if (to_integrator === 0) return all;
  return [...all, [t('disagreement.to_shop', { shop }), moneyText(to_integrator, currency)]];
}

/** What is wrong with a form, by field; `form` is of all of it. */
export type Faults = Partial<Record<'reason' | 'text' | 'file' | 'amount' | 'form', string>>;

/** The refusal of a form, at its field. */
export function faultsOf(error: unknown): Faults {
  const said = sentenceOf(error);
  if (!(error instanceof ApiError)) return { form: said };
  const codes = error.codes.join(' ');
  if (/FILE_TOO_LARGE|BODY_TOO_LARGE/.test(codes)) return { file: t('disagreement.file_large') };
  if (/FILE_/.test(codes)) return { file: t('disagreement.file_refused') };
  if (error.is('CARD_NUMBER_REFUSED') || 'text' in error.errors) return { text: said };
  if (error.is('DISAGREEMENT_SPLIT_WRONG')) return { amount: said };
  return { form: said };
}

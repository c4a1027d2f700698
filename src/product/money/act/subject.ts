// What an act is about, as its page shows it: the state, the money, whose it is. An act on anything
// but what was shown is not carried out. [G-88]
import { hash } from 'node:crypto';
import type { Queryable } from '../../../db/index.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import { readWhole, type WholeEscrow } from '../escrow/index.ts';
import { readInvoice } from '../invoice/index.ts';
import { payoutById } from '../payout/index.ts';
import { decidedItem, DECISIONS } from '../reconciliation/index.ts';
import { readRefund, saleLeft, type LineLeft } from '../refund/index.ts';

/** An object on which an operator may act. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: string;
  readonly state: string;
  readonly currency: string;
  /** Minor units that it is about. */
  readonly amount: bigint;
  /** UUIDs of the accounts whose money it is. */
  readonly accounts: readonly string[];
  /** Minor units of a sale that may still be refunded, or that an escrow holds; and by line. */
  readonly left: bigint;
  readonly lines: readonly LineLeft[];
  /** Milestones of an escrow that were not released, with what is held for each. */
  readonly milestones: readonly LineLeft[];
  /** What keeps an escrow from moving. */
  readonly frozen: WholeEscrow['frozen'];
  /** True where a payment waits for its buyer. */
  readonly awaited: boolean;
  /** True where somebody holds the payout. */
  readonly kept: boolean;
  /** What a person may decide about an item in manual review. */
  readonly decisions: readonly string[];
}

type Facts = Pick<Subject, 'state' | 'currency' | 'amount' | 'accounts'> & Partial<Subject>;
type Read = (db: Queryable, workspace: number, id: string) => Promise<Facts | null>;

const DECIDABLE = ['parked', 'found'];

const sale: Read = async (db, workspace, id) => {
  const found = await saleLeft(db, workspace, id);
  if (found === null) return null;
  const { total, ...facts } = found;
  const record = await readInvoice(db, workspace, id);
  const shown = (record?.parse() ?? {}) as { readonly authentication_url?: string };
  return { ...facts, amount: total, awaited: shown.authentication_url !== undefined };
};

const escrow: Read = async (db, workspace, id) => {
  const found = await readWhole(db, workspace, id);
  if (found === null) return null;
  const { total, held, lines, milestones, ...facts } = found;
  const { state, currency, accounts, frozen } = facts;
  return {
    ...{ state, currency, accounts, frozen, amount: BigInt(total), left: BigInt(held) },
    lines: lines.map((one) => ({ id: one.id, name: one.description, left: BigInt(one.held) })),
    milestones: milestones
      .filter(({ released }) => !released)
      .map(({ name, amount }) => ({ id: name, name, left: BigInt(amount) })),
  };
};

const payout: Read = async (db, workspace, id) => {
  const found = await payoutById(db, workspace, id);
  if (found === null) return null;
  const { record: { status: state, currency, amount, account_id }, kept } = found;
  const account = uuidOfWireId('acct', account_id) ?? '';
  return { state, currency, amount: BigInt(amount), accounts: [account], kept };
};

const refund: Read = async (db, workspace, id) => {
  const record = await readRefund(db, workspace, id);
  if (record === null) return null;
  const { status: state, currency, amount, invoice_id } = record;
  const { accounts = [] } = (await saleLeft(db, workspace, invoice_id)) ?? {};
  return { state, currency, amount: BigInt(amount), accounts };
};

/** A payment, an outbound transfer or a discrepancy in manual review. */
const item: Read = async (db, workspace, id) => {
  const found = await decidedItem(db, workspace, id);
  if (found === null) return null;
  const { kind, state, currency, amount, resource_id: of } = found;
  const open = DECIDABLE.includes(state);
  let whose: Facts | null = null;
  for (const read of of === null ? [] : [sale, payout, refund]) {
    whose ??= await read(db, workspace, of ?? '');
  }
  const decisions = open ? DECISIONS[kind] : [];
  return { state, currency, amount, accounts: whose?.accounts ?? [], decisions };
};

const READS = { invoice: sale, escrow, payout, refund, item } as const;
/** An item is what may be in manual review. */
export type SubjectKind = keyof typeof READS;

const KINDS: Readonly<Record<string, SubjectKind>> = {
  ...{ invoice: 'invoice', escrow: 'escrow', payout: 'payout', refund: 'refund' },
  ...{ attempt: 'item', transfer: 'item', difference: 'item' },
};

/** The kind by the name of a lifecycle; null where nobody acts on such objects. */
export function subjectKind(machine: string): SubjectKind | null {
  return KINDS[machine] ?? null;
}

/** The object of a kind, by its UUID; null where there is none. */
export async function subjectOf(
  db: Queryable,
  workspace: number,
  kind: SubjectKind,
  id: string,
): Promise<Subject | null> {
  const facts = await READS[kind](db, workspace, id);
  if (facts === null) return null;
  const none = { left: 0n, lines: [], milestones: [], frozen: null, decisions: [] };
  return { kind, id, ...none, awaited: false, kept: false, ...facts };
}

/** A hash of what a page shows of it. */
export function digestOf(subject: Subject): string {
  const text = JSON.stringify(subject, (_, value: unknown) => {
    return typeof value === 'bigint' ? String(value) : value;
  });
  return hash('sha256', text, 'base64url');
}

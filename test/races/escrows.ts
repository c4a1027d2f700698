// Common parts of races for held money: an escrow of a new buyer, what is asked of it, what its
// sides have, and the clock of all workspaces.
import assert from 'node:assert/strict';
import type { Api, Reply } from '../kit/api.ts';
import { createEscrow, moved, type EscrowSeen } from '../kit/escrow.ts';
import type { Fleet } from '../kit/platform.ts';
import { until } from '../kit/until.ts';
import { clientAt } from './racing.ts';

export const PRICE = 900;

/** An escrow that moved in parts. */
export interface Ended extends EscrowSeen {
  readonly released_amount: number;
  readonly returned_amount: number;
  readonly held_amount: number;
  readonly movements: readonly { readonly kind: string; readonly milestone?: string }[];
}

/** A new buyer's escrow that holds its money. */
export interface HeldEscrow {
  readonly id: string;
  readonly invoice: string;
  readonly account_id: string;
  /** Its line item. */
  readonly line: string;
}

export function ask(api: Api, id: string, name: string, body?: object): Promise<Reply> {
  return api.send('invoicing', 'POST', `/v2/escrow/${id}/${name}`, body ? { body } : {});
}

/** Opens and pays one, by wallet or by `card`; `more` is what its creation says besides. */
export async function held(
  fleet: Fleet,
  name: string,
  more: object = {},
  card = false,
): Promise<HeldEscrow> {
  const api = clientAt(fleet, 0);
  const { account_id, method } = await api.register(name);
  await api.fund(account_id, PRICE);
  const payment_method_id = card ? await api.attach(account_id, 'visa') : method;
  const body = api.sale(PRICE, [{ payment_method_id }], { account_id, ...more });
  const made = await createEscrow(api, body);
  assert.equal(made.status, 201, made.text);
  const { id, escrow_invoice_id: invoice } = made.payload as EscrowSeen;
  await moved(api, id, 'pay', 'ESCROWED');
  type Invoice = { line_items: Record<string, unknown> };
  const path = `/v2/invoice/${invoice}`;
  const { line_items } = await api.must<Invoice>(200, 'invoicing', 'GET', path);
  return { id, invoice, account_id, line: Object.keys(line_items)[0] ?? '' };
}

/** What somebody may spend, in minor units, by the other process. */
export async function spendable(fleet: Fleet, account_id: string): Promise<number> {
  return (await clientAt(fleet, 1).money(account_id)).spendable;
}

/** The account of the seller of all. */
export function sellerOf(fleet: Fleet): string {
  return clientAt(fleet, 0).ready.accounts.seller.account_id;
}

/** Advances the time of every workspace. */
export async function jump({ db }: Fleet, seconds: number): Promise<void> {
  await db.execute({
    text: 'update workspace set clock_offset = clock_offset + make_interval(secs => $1)',
    values: [seconds],
  });
}

/** Waits until no row fits the SQL, which the ids are given to. */
export async function none(fleet: Fleet, text: string, ids: readonly string[]): Promise<void> {
  await until(text, async () => (await fleet.db.query({ text, values: [ids] })).length === 0);
}

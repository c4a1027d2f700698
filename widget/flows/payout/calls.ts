// Calls of the payout flow. A payout is requested once, however often its button is pressed: the
// key stays while there is no answer. [G-43, G-44]
import { ApiError } from '../api.ts';
import type { FlowContext } from '../flow.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import type { AddKind } from '../methods/entry-screen.tsx';
import { methodsAfterReturn, sentenceOf } from '../methods/load.ts';
import { refusalText, type Payout, type Quote } from './records.ts';

const PAYOUTS = 50;

function root({ session }: FlowContext): string {
  return `/invoicing/v2/${session.account_id}`;
}

/** Methods and, for the full flow, the latest payouts. Throws ApiError. */
export async function loadDesk(context: FlowContext, withPayouts: boolean) {
  const [loaded, payouts] = await Promise.all([
    methodsAfterReturn(context),
    withPayouts ? payoutsOf(context) : [],
  ]);
  return { ...loaded, payouts };
}

/** The latest payouts. Throws ApiError. */
export function payoutsOf(context: FlowContext): Promise<readonly Payout[]> {
  return context.api.get(`${root(context)}/payouts?limit=${PAYOUTS}`);
}

/** The kinds of accounts that can be added. */
export interface Ways {
  /** Of the person or their business; '' where it is not known. */
  readonly country: string;
  readonly ways: readonly Exclude<AddKind, 'card'>[];
}

/** What an account can add to be paid out to in a currency. Throws ApiError. */
export function waysOf(context: FlowContext, currency: string): Promise<Ways> {
  return context.api.get(`${root(context)}/payout_ways?currency=${currency}`);
}

/** Adds a bank account by IBAN; the same press sent again adds it once. Throws ApiError. */
export function addIban(
  { api, session: { account_id } }: FlowContext,
  iban: string,
  holder_name: string,
  key: string,
): Promise<PaymentMethod> {
  const body = { account_id, iban, holder_name };
  return api.post('/payments/v1/payment_method/bank_account', body, { key });
}

/** The address of the processor's page where a seller opens an account. Throws ApiError. */
export async function payeePage(
  { api, session: { account_id } }: FlowContext,
  country: string,
): Promise<string> {
  const body = { account_id, ...(country !== '' && { country }) };
  return (await api.post<{ url: string }>('/payments/v1/payee/link', body)).url;
}

/** What is to be paid out, and where to. */
export interface Request {
  readonly source_payment_method_id: string;
  readonly destination_payment_method_id: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
}

/** Fee and net amount of a payout. Throws ApiError. */
export function quoteOf(context: FlowContext, wish: Request): Promise<Quote> {
  const query = new URLSearchParams({
    amount: String(wish.amount),
    currency: wish.currency,
    destination_payment_method_id: wish.destination_payment_method_id,
  });
  return context.api.get(`${root(context)}/payout_quote?${query}`);
}

/** Requests a payout. Throws ApiError. */
export function requestPayout(context: FlowContext, wish: Request, key: string): Promise<Payout> {
  return context.api.post(`${root(context)}/payout`, wish, { key });
}

/** Cancels a payout. Throws ApiError. */
export function cancelPayout(context: FlowContext, id: string): Promise<unknown> {
  return context.api.delete(`${root(context)}/payout/${id}`);
}

/** The sentence for an error: the flow's own if it has one. */
export function problemOf(error: unknown): string {
  const own = error instanceof ApiError ? refusalText(error.codes) : undefined;
  return own ?? sentenceOf(error);
}

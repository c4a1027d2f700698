// The statement: Stripe's balance transactions, which are the money, and its events about disputes,
// which are their course. Both are read forward from an id each; the two ids are the cursor. [M18]
import type Stripe from 'stripe';
import { instantFromMillis } from '../../core/time.ts';
import type { Processor, StatementLine, StatementPage } from '../processor/port.ts';
import { isTrouble, type StripeLink } from './connection.ts';
import { idOf, KEY } from './intents.ts';

/** Rows of a page, as Stripe allows. */
const PAGE = 100;
/** Rows of a first reading: Stripe lists the newest first, and the oldest are wanted. */
const BEGINNING = 10_000;
/** Events are kept for 30 days; a new connection reads no older money either. */
const BEGINNING_SECONDS = 30 * 86_400;
/** Rows of so many seconds are read again, because one may be listed after a younger one. */
const OVERLAP_SECONDS = 300;

/**
 * Of each list the last row that no other can come before any more, and after a hyphen the last one
 * that was read, where there are more.
 */
const CURSOR = /^((?:txn_\w{1,60})?(?:-txn_\w{1,60})?),((?:evt_\w{1,60})?(?:-evt_\w{1,60})?)$/;
const DISPUTES = ['charge.dispute.updated', 'charge.dispute.closed'];

interface Row {
  readonly id: string;
  readonly created: number;
}
/** The oldest rows after a place, where the next reading begins, and whether there are more. */
interface Forward<R extends Row> {
  readonly rows: readonly R[];
  readonly place: string;
  readonly more: boolean;
}
type Page<R> = { readonly data: readonly R[]; readonly has_more: boolean };
type List<R> = (query: Stripe.PaginationParams & { readonly created?: Stripe.RangeQueryParam }) =>
  Promise<Page<R>>;

export function statementOf(link: StripeLink): Processor['statement'] {
  const { stripe, tried } = link;
  return async (_workspace, cursor) => {
    const [, money = '', event = ''] = CURSOR.exec(cursor ?? ',') ?? [];
    const read = await tried(async () => {
      const transactions = await forward<Stripe.BalanceTransaction>(
        tried,
        (query) => stripe.balanceTransactions.list({ ...query, expand: ['data.source'] }),
        money,
      );
      const events = await forward<Stripe.Event>(
        tried,
        (query) => stripe.events.list({ ...query, types: DISPUTES }),
        event,
      );
      if (events.rows.some(({ livemode }) => livemode !== link.live)) {
        throw new Error('events of the other mode');
      }
      return { page: await pageOf(stripe, transactions, events) };
    });
    return isTrouble(read) ? null : read.page;
  };
}

/**
 * Reads a list of Stripe's, which has its newest row first, from its oldest row on. Begins anew
 * after a row that Stripe forgot, as it does old events, or that is another account's.
 */
async function forward<R extends Row>(
  tried: StripeLink['tried'],
  list: List<R>,
  place: string,
): Promise<Forward<R>> {
  const [from = '', last = from] = place.split('-');
  const now = Math.floor(Date.now() / 1_000);
  let rows: R[] = [];
  let more = false;
  if (last === '') {
    const created = { gte: now - BEGINNING_SECONDS };
    let page = await list({ limit: PAGE, created });
    rows = [...page.data];
    while (page.has_more && rows.length < BEGINNING) {
      page = await list({ limit: PAGE, created, starting_after: rows.at(-1)?.id ?? '' });
      rows.push(...page.data);
    }
    more = rows.length > PAGE;
    rows = rows.toReversed().slice(0, PAGE);
  } else {
    const page = await tried(() => list({ limit: PAGE, ending_before: last }));
    if (isTrouble(page)) {
      if (page.trouble === 'missing') return forward(tried, list, '');
      throw new Error(`a statement was not read: ${page.trouble}`);
    }
    more = page.has_more;
    rows = page.data.toReversed();
  }
  const old = rows.findLast(({ created }) => created < now - OVERLAP_SECONDS)?.id ?? from;
  return { rows, place: more ? `${old}-${rows.at(-1)?.id}` : old, more };
}

async function pageOf(
  stripe: Stripe,
  transactions: Forward<Stripe.BalanceTransaction>,
  events: Forward<Stripe.Event>,
): Promise<StatementPage> {
  const lines: StatementLine[] = [];
  const chargeOf = readOnce((id) => stripe.charges.retrieve(id));
  const transferOf = readOnce((id) => stripe.transfers.retrieve(id));
  for (const one of transactions.rows) {
    if (one.amount !== 0) lines.push(await lineOf(one, { chargeOf, transferOf }));
  }
  for (const event of events.rows) {
    const line = await courseOf(event, chargeOf);
    if (line !== null) lines.push(line);
  }
  const cursor = `${transactions.place},${events.place}`;
  return { lines, cursor, more: transactions.more || events.more };
}

type ChargeOf = (id: string) => Promise<Stripe.Charge>;
interface Reads {
  readonly chargeOf: ChargeOf;
  readonly transferOf: (id: string) => Promise<Stripe.Transfer>;
}

/** Reads each object of a page once. */
function readOnce<T>(read: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (id) => {
    const found = known.get(id) ?? read(id);
    known.set(id, found);
    return found;
  };
}

type Kinds = Readonly<Record<string, StatementLine['kind']>>;
/** Stripe's own charges, and money to the bank account of whoever runs the account. */
const OUT: Kinds = {
  ...{ stripe_fee: 'fee', stripe_fx_fee: 'fee', tax_fee: 'fee' },
  payout: 'provider_payout',
};
/** What comes back from there. A payout that comes in is none: Stripe takes what it is owed. */
const IN: Kinds = {
  payout_cancel: 'provider_payout_returned',
  payout_failure: 'provider_payout_returned',
};

/** One movement. Amounts are the payer's, not those of the account's own currency. */
async function lineOf(one: Stripe.BalanceTransaction, reads: Reads): Promise<StatementLine> {
  const line = await movedBy(one, reads);
  // A fee in the account's own currency is none of a sale in another one.
  const same = line.kind !== 'fee' && line.currency === one.currency.toUpperCase();
  return { ...line, fee: same ? BigInt(one.fee) : 0n };
}

async function movedBy(one: Stripe.BalanceTransaction, reads: Reads): Promise<StatementLine> {
  const { source } = one;
  const available_at = instantFromMillis(one.available_on * 1_000);
  const row = { row: one.id, part: 1, reason: null, due_by: null, fee: 0n, available_at };
  if (typeof source === 'object' && source !== null) {
    if (source.object === 'charge') {
      const back = one.amount < 0;
      const { amount_captured, metadata, currency, payment_intent, id } = source;
      const sum = money(back ? source.amount : amount_captured, currency);
      const of = { key: metadata[KEY] ?? id, reference: idOf(payment_intent) ?? id };
      return { ...row, ...of, ...sum, kind: back ? 'return' : 'capture' };
    }
    if (source.object === 'refund') {
      const { id, metadata, amount, currency } = source;
      const kind = one.amount < 0 ? 'refund' : 'payout_return';
      const of = { key: metadata?.[KEY] ?? id, reference: id };
      return { ...row, ...of, kind, ...money(amount, currency) };
    }
    if (source.object === 'transfer' || source.object === 'transfer_reversal') {
      return { ...row, ...(await sentBy(source, one.amount > 0, reads)) };
    }
    if (source.object === 'dispute') {
      const won = one.amount > 0;
      const told = await disputed(source, reads.chargeOf);
      const kind = won ? 'dispute_won' : told.card ? 'chargeback' : 'return';
      const opened = won ? {} : { reason: source.reason, due_by: told.due_by };
      return { ...row, ...told.line, ...opened, kind };
    }
  }
  // What is none of these is shown under Stripe's own id until a person explains it.
  const id = idOf(source) ?? one.id;
  const back = one.amount > 0;
  const kind = (back ? IN : OUT)[one.type] ?? (back ? 'capture' : 'payout');
  return { ...row, key: id, reference: id, kind, ...money(Math.abs(one.amount), one.currency) };
}

/** A payout to a seller, or what came back of it. */
async function sentBy(
  source: Stripe.Transfer | Stripe.TransferReversal,
  back: boolean,
  { transferOf }: Reads,
) {
  const { id: reference, amount, currency } = source;
  const isFirst = source.object === 'transfer';
  const sent = isFirst ? source : await transferOf(idOf(source.transfer) ?? '');
  const kind = back ? ('payout_return' as const) : ('payout' as const);
  return { key: sent.metadata[KEY] ?? sent.id, reference, kind, ...money(amount, currency) };
}

/** A step of a dispute without money; null for any other event. */
async function courseOf(event: Stripe.Event, chargeOf: ChargeOf): Promise<StatementLine | null> {
  const dispute = event.data.object as Stripe.Dispute;
  const changed = event.data.previous_attributes as { status?: string } | undefined;
  const closed = event.type === 'charge.dispute.closed';
  const reviewed = !closed && changed?.status !== undefined && dispute.status === 'under_review';
  const lost = closed && dispute.status === 'lost';
  if (!reviewed && !lost) return null;
  const { card, line } = await disputed(dispute, chargeOf);
  // A bank debit that came back is final from the beginning.
  if (!card) return null;
  const kind = lost ? 'dispute_lost' : 'dispute_under_review';
  const plain = { part: 1, reason: null, due_by: null, fee: 0n, available_at: null };
  return { row: event.id, ...line, kind, ...plain };
}

async function disputed(dispute: Stripe.Dispute, chargeOf: ChargeOf) {
  const charge = await chargeOf(idOf(dispute.charge) ?? '');
  const due = dispute.evidence_details?.due_by ?? null;
  return {
    card: charge.payment_method_details?.type !== 'us_bank_account',
    due_by: due === null ? null : instantFromMillis(due * 1_000),
    line: {
      key: charge.metadata[KEY] ?? charge.id,
      reference: dispute.id,
      ...money(dispute.amount, dispute.currency),
    },
  };
}

function money(amount: number, currency: string) {
  return { amount: BigInt(amount), currency: currency.toUpperCase() };
}

// What a call does to the stored records, and how a record looks on the wire. Scripted answers come
// later, in answering.ts.
import type { Database } from '../../../db/index.ts';
import { challengeUrl } from './challenge.ts';
import type { Charge, Order, Ruling } from './charges.ts';
import {
  acceptCapture,
  authorize,
  capture,
  chargeOf,
  declineCapture,
  reserveAgain,
  reverse,
} from './charges.ts';
import type { Exchange } from './exchanges.ts';
import { noticeRequestOf } from './notice-rows.ts';
import type { ChargeAnswer, CardFailureCode, TransferAnswer } from './protocol.ts';
import type { Transfer, Remitting, Verdict } from './transfers.ts';
import { remit, transferOf } from './transfers.ts';

/** A call with an order, or about a key only. */
export type Question =
  | { readonly operation: 'authorize' | 'capture' | 'reverse'; readonly order: Order }
  | { readonly operation: 'remit'; readonly order: Remitting }
  | {
      readonly operation: 'look' | 'look_remittance';
      readonly workspace: number;
      readonly key: string;
    };

/** What the records say. */
export type Seen = ChargeAnswer | TransferAnswer;

/** The database, and the base URLs of buyers' pages. */
export interface Place {
  readonly db: Database;
  readonly urls: Readonly<Record<'processor', string>>;
}

/** Carries out the call's effect and reads the record. `reference` is for new records. */
export async function effectOf(
  place: Place,
  question: Question,
  exchange: Exchange,
  reference: string,
): Promise<Seen> {
  const { db } = place;
  const shownCharge = (charge: Charge): Seen => chargeShown(charge, place);
  switch (question.operation) {
    case 'authorize':
      return shownCharge(await authorizing(db, question.order, exchange, reference));
    case 'capture':
      return shownCharge(await capturing(db, question.order, exchange));
    case 'reverse': {
      const kept = await keptBy(db, question.order, exchange);
      if (kept !== null) return kept;
      const request = noticeRequestOf(exchange, false);
      return shownCharge(await reverse(db, question.order, reference, request));
    }
    case 'remit': {
      const request = noticeRequestOf(exchange, true);
      const { order } = question;
      return shownTransfer(await remit(db, order, reference, verdictOf(exchange), request));
    }
    case 'look': {
      const { workspace, key } = question;
      const charge = await chargeOf(db, workspace, key);
      return charge === null ? { state: 'absent', key } : shownCharge(charge);
    }
    case 'look_remittance': {
      const { workspace, key } = question;
      const transfer = await transferOf(db, workspace, key);
      return transfer === null ? { state: 'absent', key } : shownTransfer(transfer);
    }
  }
}

function declineOf({ effect, code }: Exchange): CardFailureCode | null {
  return effect === 'decline' ? (code ?? 'generic_error') : null;
}

function verdictOf(exchange: Exchange): Verdict {
  const declined = declineOf(exchange);
  if (declined !== null) return { declined };
  return exchange.effect === 'pending' ? 'pending' : 'paid';
}

function rulingOf(exchange: Exchange): Ruling {
  const declined = declineOf(exchange);
  if (declined !== null) return { declined };
  return exchange.effect === 'challenge' ? 'challenged' : 'authorized';
}

async function authorizing(
  db: Database,
  order: Order,
  exchange: Exchange,
  reference: string,
): Promise<Charge> {
  const ruling = rulingOf(exchange);
  if (exchange.effect === 'anew') await reserveAgain(db, order);
  const request = noticeRequestOf(exchange, typeof ruling !== 'string');
  const charge = await authorize(db, order, reference, ruling, request);
  // The key was given up before: a late authorization is refused and nothing is held.
  if (charge.barred) return { ...charge, state: 'declined', failure_code: 'generic_error' };
  return exchange.effect === 'taken' ? capturing(db, order, exchange) : charge;
}

function capturing(db: Database, order: Order, exchange: Exchange): Promise<Charge> {
  const code = declineOf(exchange);
  const request = noticeRequestOf(exchange, true);
  if (code !== null) return declineCapture(db, order, code, request);
  if (exchange.effect === 'pending') return acceptCapture(db, order);
  const other = order.currency === 'EUR' ? 'USD' : 'EUR';
  const distortion = {
    less: exchange.effect === 'one_less' ? 1n : 0n,
    currency: exchange.effect === 'other_currency' ? other : null,
    parts: exchange.effect === 'twice' ? 2 : 1,
  };
  return capture(db, order, distortion, request);
}

/** The answer if a capture is not given back; null if it is. */
async function keptBy(db: Database, order: Order, exchange: Exchange): Promise<Seen | null> {
  const code = declineOf(exchange);
  const held = code === null ? null : await chargeOf(db, order.workspace, order.key);
  return code !== null && held?.state === 'captured' ? declined(held, code) : null;
}

function declined({ key, reference }: Charge | Transfer, code: string): Seen {
  return { state: 'declined', key, reference, code };
}

/** A charge as the wire shows it: after a capture, what was really taken. */
function chargeShown(charge: Charge, { urls }: Place): Seen {
  const { state, key, reference } = charge;
  if (state === 'declined') return declined(charge, charge.failure_code ?? '');
  const amount = String(charge.captured_amount ?? charge.amount);
  const money = { key, reference, amount, currency: charge.captured_currency ?? charge.currency };
  if (state !== 'challenged') return { state, ...money };
  return { state, ...money, url: challengeUrl(urls.processor, charge.challenge ?? '') };
}

function shownTransfer(transfer: Transfer): Seen {
  const { state, key, reference, currency } = transfer;
  if (state === 'declined') return declined(transfer, transfer.failure_code ?? '');
  return { state, key, reference, amount: String(transfer.amount), currency };
}

// What a call does to the stored records, and how a record looks on the wire. Scripted answers come
// later, when the call is played.
import type { Database } from '../../../db/index.ts';
import { challengeUrl } from './challenge.ts';
import type { ChargeOrder, TransferOrder } from '../../../providers/processor/port.ts';
import { authorize, capture, chargeOf, reverse, type Charge } from './charges.ts';
import type { Exchange } from './exchanges.ts';
import type { ChargeAnswer, TransferAnswer } from './protocol.ts';
import { remit, transferOf, type Transfer } from './transfers.ts';

/** A call with an order, or about a key only. */
export type Question =
  | { readonly operation: 'authorize' | 'capture' | 'reverse'; readonly order: ChargeOrder }
  | { readonly operation: 'remit'; readonly order: TransferOrder }
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
  const absent = (key: string): Seen => ({ state: 'absent', key });
  switch (question.operation) {
    case 'authorize':
      return chargeShown(await authorize(db, question.order, reference, exchange), place);
    case 'capture':
      return chargeShown(await capture(db, question.order, exchange), place);
    case 'reverse':
      return chargeShown(await reverse(db, question.order, reference, exchange), place);
    case 'remit':
      return shownTransfer(await remit(db, question.order, reference, exchange));
    case 'look': {
      const charge = await chargeOf(db, question.workspace, question.key);
      return charge === null ? absent(question.key) : chargeShown(charge, place);
    }
    case 'look_remittance': {
      const transfer = await transferOf(db, question.workspace, question.key);
      return transfer === null ? absent(question.key) : shownTransfer(transfer);
    }
  }
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

// Takes the rows of statements one by one: each settles something of ours, or is an incoming
// transfer. A row that was taken is not taken again, so that taking may stop anywhere and go on.
import type { Queryable } from '../../../db/index.ts';
import { digitsOfReference, referencesIn } from '../../../core/bank-numbers.ts';
import type { Services } from '../../context.ts';
import { providerPayoutsUnderWay } from '../treasury/index.ts';
import { walletById, walletsOfDigits } from '../wallet/index.ts';
import {
  receiveEntry,
  receiveProviderPayout,
  settleReturn,
  type IncomingAnswer,
  type ReceivedEntry,
} from './decide.ts';
import { openEntries, returnUnder, type OpenEntry } from './read.ts';
import type { Reason } from './tables.ts';

type TakeServices = Pick<Services, 'db' | 'engine' | 'keys' | 'random'>;

/** Who takes rows, in whose workspace. */
interface Taker {
  readonly workspace: number;
  readonly actor: string;
}

/** True where the row settled something of ours, which is noted with it. */
type Claim = (services: TakeServices, taker: Taker, entry: OpenEntry) => Promise<boolean>;

/** What the processor sent to our bank account. */
const providerPayout: Claim = async ({ db, engine }, taker, entry) => {
  const { id: entryId, direction, amount, currency } = entry;
  if (direction !== 'credit') return false;
  const reference = `${entry.text} ${entry.end_to_end_id} ${entry.bank_reference}`;
  const named = { currency, amount, reference };
  for (const { id: settlementId } of await providerPayoutsUnderWay(db, taker.workspace, named)) {
    const input = { entryId, settlementId, amount, currency };
    if ((await engine.run(receiveProviderPayout, input, taker)).payload === true) return true;
  }
  return false;
};

/** An incoming transfer that was sent back. */
const returnedTransfer: Claim = async ({ db, engine }, taker, entry) => {
  if (entry.direction !== 'debit' || entry.reference === '') return false;
  const digits = digitsOfReference(entry.reference);
  const transferId = await returnUnder(db, taker.workspace, entry.bank_account_id, digits);
  if (transferId === null) return false;
  const input = { transferId, entryId: entry.id };
  return (await engine.run(settleReturn, input, taker)).payload === true;
};

/** Asked in this order about each row; what none claims of the credits came from a payer. */
const CLAIMS: readonly Claim[] = [providerPayout, returnedTransfer];

/** Takes every stored row that is not taken yet; gives the incoming transfers. */
export async function takeEntries(services: TakeServices, taker: Taker): Promise<IncomingAnswer[]> {
  const { db, engine, random } = services;
  const taken: IncomingAnswer[] = [];
  for (const entry of await openEntries(services, taker.workspace)) {
    let claimed = false;
    for (const claim of CLAIMS) claimed ||= await claim(services, taker, entry);
    if (claimed || entry.direction === 'debit') continue;
    // A payout of ours came back, also where the bank does not call it a return: its own module
    // books it.
    if (entry.ours) continue;
    const ids = { transferId: random.uuid(), depositId: random.uuid(), entryId: entry.id };
    const input: ReceivedEntry = { ...ids, ...(await targetOf(db, taker.workspace, entry)) };
    const { payload } = await engine.run(receiveEntry, input, taker);
    if (payload !== null) taken.push(payload as IncomingAnswer);
  }
  return taken;
}

type Target = Pick<ReceivedEntry, 'walletId' | 'why' | 'held'>;

/** The one wallet that a credit names, or why there is none. */
async function targetOf(db: Queryable, workspace: number, row: OpenEntry): Promise<Target> {
  const nobody = (why: Reason): Target => ({ walletId: null, why, held: 0n });
  if (row.returned) return nobody('returned_payment');
  const { right, mistyped } = referencesIn(`${row.text} ${row.end_to_end_id}`);
  const [reference] = right;
  if (reference === undefined) return nobody(mistyped > 0 ? 'reference_mistyped' : 'no_reference');
  if (right.length > 1) return nobody('several_references');
  const wallets = await walletsOfDigits(db, workspace, digitsOfReference(reference));
  const [wallet] = wallets;
  if (wallet === undefined || wallets.length > 1) return nobody('reference_unknown');
  if (wallet.currency !== row.currency) return nobody('other_currency');
  const held = (await walletById(db, workspace, wallet.id))?.amount ?? 0n;
  return { walletId: wallet.id, why: null, held };
}

// What operators ask for at the console, turned into commands: finds the wallet that they name, and
// runs the command, which decides. The caller has checked that the workspace is theirs.
import type { Queryable } from '../../../db/index.ts';
import { digitsOfReference, referencesIn } from '../../../core/bank-numbers.ts';
import { isUuid, uuidOfWireId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Command } from '../../../engine/index.ts';
import { secondFrom, type Services } from '../../context.ts';
import { providerPayoutsUnderWay, type UnderWay } from '../treasury/index.ts';
import { walletById, walletOfAccount, walletsOfDigits } from '../wallet/index.ts';
import { activeBankAccount } from './accounts.ts';
import {
  allocateTransfer,
  processorTransfer,
  recordTransfer,
  sameTransfer,
  secondTransfer,
  sendTransferBack,
} from './by-hand.ts';
import type { IncomingAnswer } from './decide.ts';
import { refusals as no } from './refusals.ts';

/** What decisions need. */
export type ActServices = Pick<Services, 'db' | 'engine' | 'random' | 'policies' | 'workspaces'>;

/** The operator who acts, in one workspace. */
export interface BankOperator {
  readonly operatorId: string;
  readonly workspace: number;
}

/** A transfer as the operator saw it. */
interface Seen {
  readonly transferId: string;
  readonly version: number;
}

async function run<I>(
  { engine }: ActServices,
  { operatorId, workspace }: BankOperator,
  command: Command<I>,
  input: I,
): Promise<IncomingAnswer> {
  const actor = `operator:${operatorId}`;
  return (await engine.run(command, input, { workspace, actor })).payload as IncomingAnswer;
}

/** The wallet that a reference, a wallet's id or an account's id names. Throws a Refusal. */
async function walletNamed(
  db: Queryable,
  workspace: number,
  text: string,
  currency: string,
): Promise<{ readonly walletId: string; readonly held: bigint }> {
  const named = text.trim();
  const [reference] = referencesIn(named).right;
  const owner = uuidOfWireId('acct', named);
  let id: string | undefined;
  if (reference !== undefined) {
    const found = await walletsOfDigits(db, workspace, digitsOfReference(reference));
    id = found.length === 1 ? found[0]?.id : undefined;
  } else if (owner !== null) {
    id = (await walletOfAccount(db, workspace, owner, currency)) ?? undefined;
  } else if (isUuid(named)) id = named;
  const wallet = id === undefined ? null : await walletById(db, workspace, id);
  if (wallet?.currency !== currency) throw refuse(no.BANK_WALLET_NOT_FOUND);
  return { walletId: wallet.id, held: wallet.amount };
}

/** What the text names: a wallet, or with null the opening balances. */
function targetNamed(
  db: Queryable,
  workspace: number,
  text: string | null,
  currency: string,
): Promise<{ readonly walletId: string | null; readonly held: bigint }> {
  if (text === null) return Promise.resolve({ walletId: null, held: 0n });
  return walletNamed(db, workspace, text, currency);
}

/** Records a transfer by hand. */
export async function record(
  services: ActServices,
  operator: BankOperator,
  stated: {
    readonly currency: string;
    readonly amount: bigint;
    /** A reference, or the id of a wallet or an account; null: the opening balances. */
    readonly wallet: string | null;
    readonly bankReference: string;
    readonly valueDate: string;
  },
): Promise<IncomingAnswer> {
  const { db, random } = services;
  const { currency, wallet, ...facts } = stated;
  const bank = await activeBankAccount(db, operator.workspace, currency);
  if (bank === null) throw refuse(no.BANK_ACCOUNT_NOT_CONFIGURED);
  return run(services, operator, recordTransfer, {
    ...facts,
    ...(await targetNamed(db, operator.workspace, wallet, currency)),
    transferId: random.uuid(),
    depositId: random.uuid(),
    bankAccountId: bank.id,
    operatorId: operator.operatorId,
    limit: await secondFrom(services, operator.workspace, currency),
  });
}

/** Gives an open transfer to the wallet that the text names, or to the opening balances. */
export async function allocate(
  services: ActServices,
  operator: BankOperator,
  seen: Seen & { readonly currency: string },
  wallet: string | null,
): Promise<IncomingAnswer> {
  const { db, random } = services;
  const { currency, ...transfer } = seen;
  return run(services, operator, allocateTransfer, {
    ...transfer,
    ...(await targetNamed(db, operator.workspace, wallet, currency)),
    depositId: random.uuid(),
    operatorId: operator.operatorId,
    limit: await secondFrom(services, operator.workspace, currency),
  });
}

/** Confirms or rejects; `dependent`: operators who made or reset this one, or the other way. */
export async function second(
  services: ActServices,
  operator: BankOperator,
  seen: Seen & { readonly walletId: string | null },
  agrees: boolean,
  dependent: readonly string[],
): Promise<IncomingAnswer> {
  const { db, random } = services;
  const { walletId, ...transfer } = seen;
  const wallet = walletId === null ? null : await walletById(db, operator.workspace, walletId);
  return run(services, operator, secondTransfer, {
    ...transfer,
    agrees,
    dependent,
    held: wallet?.amount ?? 0n,
    depositId: random.uuid(),
    operatorId: operator.operatorId,
  });
}

/** Marks a transfer as one to send back, or takes the mark away. */
export function sendBack(
  services: ActServices,
  operator: BankOperator,
  seen: Seen,
  back: boolean,
): Promise<IncomingAnswer> {
  return run(services, operator, sendTransferBack, { ...seen, back });
}

/** Says that a transfer of the statement was recorded by hand, or that the processor sent it. */
export async function same(
  services: ActServices,
  operator: BankOperator,
  { transferId, version, amount, currency }: Seen & Omit<UnderWay, 'reference'>,
  knownId: string,
): Promise<IncomingAnswer> {
  if (!isUuid(knownId)) throw refuse(no.BANK_TRANSFER_NOT_FOUND);
  const wanted = { amount, currency, reference: null };
  const sent = await providerPayoutsUnderWay(services.db, operator.workspace, wanted);
  const seen = { transferId, version };
  return sent.some(({ id }) => id === knownId)
    ? run(services, operator, processorTransfer, { ...seen, settlementId: knownId })
    : run(services, operator, sameTransfer, { ...seen, recordedId: knownId });
}

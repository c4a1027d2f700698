// The deposit instructions of a wallet: where to send a bank transfer, and the reference that it
// must name; and the transfers that came in. [G-91]
import { z } from 'zod';
import { creditorReference, inFours, isIban } from '../../../core/bank-numbers.ts';
import { accountId, isUuid } from '../../../core/ids.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { strictObject } from '../../../core/schema.ts';
import { operation, type DomainOperation } from '../../context.ts';
import { referenceDigits, refusals as wallets, walletById } from '../wallet/index.ts';
import { activeBankAccount } from './accounts.ts';
import { refusals } from './refusals.ts';
import { listTransfers, transferPage, transfersQuery } from './transfer-list.ts';

const instructions = z.strictObject({
  wallet_id: z.string(),
  currency: z.string(),
  account_holder: z.string(),
  bank_name: z.string(),
  iban: z.string().meta({ description: 'Empty where the bank has no IBANs.' }),
  account_number: z.string().meta({ description: 'Empty where there is an IBAN.' }),
  bic: z.string().meta({ description: 'BIC or routing number.' }),
  reference: z.string().meta({ description: 'ISO 11649, without blanks.' }),
  reference_display: z.string().meta({ description: 'The reference in groups of four.' }),
}).meta({ title: 'DepositInstructions' });

/** True for a client's token, and for a person's own wallet. */
function isTheirs({ kind, accountId: own }: Caller, owner: string | null): boolean {
  return kind === 'client' || (owner !== null && accountId(owner) === own);
}

const getDepositInstructions = operation({
  id: 'getDepositInstructions',
  route: 'GET wallets /v2/wallet/{wallet_id}/deposit_instructions',
  summary: 'Retrieves the bank account and the reference for deposits to a wallet by transfer.',
  cites: 'G-91',
  access: { client: 'read_wallets', user: null, session: 'read_payment_method' },
  params: strictObject({ wallet_id: z.string() }),
  answers: { 200: instructions },
  refusals: [wallets.WALLET_NOT_FOUND, refusals.BANK_ACCOUNT_NOT_CONFIGURED],
  async run({ db }, { caller, params: { wallet_id } }) {
    const { workspace } = caller;
    const wallet = isUuid(wallet_id) ? await walletById(db, workspace, wallet_id) : null;
    if (wallet === null || !isTheirs(caller, wallet.account_id)) {
      throw refuse(wallets.WALLET_NOT_FOUND);
    }
    const { currency } = wallet;
    const bank = await activeBankAccount(db, workspace, currency);
    if (bank === null) throw refuse(refusals.BANK_ACCOUNT_NOT_CONFIGURED);
    const reference = creditorReference(await referenceDigits(db, wallet_id));
    const [iban, account_number] = isIban(bank.number) ? [bank.number, ''] : ['', bank.number];
    const payload = {
      wallet_id,
      currency,
      account_holder: bank.holder,
      bank_name: bank.bankName,
      iban,
      account_number,
      bic: bank.bic,
      reference,
      reference_display: inFours(reference),
    };
    return { status: 200, payload };
  },
});

const listBankTransfers = operation({
  id: 'listBankTransfers',
  route: 'GET wallets /v2/bank_transfers',
  summary: 'Lists incoming bank transfers, newest first, without who paid or what they wrote.',
  cites: 'G-91',
  access: { client: 'read_wallets' },
  query: transfersQuery,
  answers: { 200: transferPage },
  async run({ db }, { caller, query }) {
    return { status: 200, payload: await listTransfers(db, caller.workspace, query) };
  },
});

export const operations: readonly DomainOperation[] = [getDepositInstructions, listBankTransfers];

// The deposit instructions of a wallet: where to send a bank transfer, and the reference that it
// must name; and the transfers that came in, as programs list them: who paid and what they wrote
// stay sealed. [G-91]
import { z } from 'zod';
import { creditorReference, inFours, isIban } from '../../../core/bank-numbers.ts';
import { accountId, isUuid, uuidOfWireId } from '../../../core/ids.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { numberText, optional, strictObject, uuid } from '../../../core/schema.ts';
import { operation, type DomainOperation } from '../../context.ts';
import { referenceDigits, refusals as wallets, walletById } from '../wallet/index.ts';
import { activeBankAccount } from './accounts.ts';
import { refusals } from './refusals.ts';
import type { Queryable } from '../../../db/index.ts';
import { displayAmount } from '../../../core/currency.ts';
import { toWire } from '../../../core/money.ts';
import { invoiceTime, type Instant } from '../../../core/time.ts';
import { incomingMachine } from './machine.ts';
import { REASONS, type IncomingRow } from './tables.ts';

const bankTransferRecord = strictObject({
  transfer_id: uuid(),
  state: z.enum(incomingMachine.states),
  why: z.enum(['', ...REASONS]).meta({ description: 'Why no wallet was credited by itself.' }),
  currency: z.string(),
  amount: z.int(),
  display_amount: z.string(),
  value_date: z.string().meta({ description: 'A day, as YYYY-MM-DD.' }),
  bank_reference: z.string().meta({ description: "The bank's own." }),
  on_statement: z.boolean().meta({ description: 'False while an operator alone has said so.' }),
  account_id: z.string(),
  wallet_id: z.string(),
  deposit_id: z.string(),
  created: z.string(),
  updated: z.string(),
}).meta({ title: 'BankTransfer' });

/** A page of transfers, newest first, and how many there are in all. */
const transferPage = strictObject({
  total: z.int(),
  bank_transfers: z.array(bankTransferRecord),
});

const LIST_MAX = 100;
const OFFSET_MAX = 100_000;
const LIST_DEFAULT = 20;
const anyId = z.string().max(64);

const transfersQuery = strictObject({
  account_id: optional(anyId),
  wallet_id: optional(anyId),
  state: optional(z.enum(incomingMachine.states)),
  limit: optional(numberText(1, LIST_MAX)),
  offset: optional(numberText(0, OFFSET_MAX)),
});
type TransfersQuery = z.output<typeof transfersQuery>;

interface Row extends Pick<IncomingRow, 'state' | 'why' | 'currency' | 'amount' | 'value_date'
  | 'bank_reference' | 'wallet_id' | 'entry_id'> {
  readonly id: string | null;
  readonly digits: number;
  readonly account_id: string | null;
  readonly deposit_id: string | null;
  readonly created: Instant;
  readonly updated: Instant;
  readonly total: bigint;
}

function render(row: Row & { readonly id: string }) {
  const { state, currency, value_date, bank_reference, account_id, digits } = row;
  const amount = toWire(row.amount);
  return {
    ...{ transfer_id: row.id, state, why: row.why ?? ('' as const), currency, amount },
    display_amount: displayAmount(amount, currency, digits),
    ...{ value_date, bank_reference, on_statement: row.entry_id !== null },
    account_id: account_id === null ? '' : accountId(account_id),
    ...{ wallet_id: row.wallet_id ?? '', deposit_id: row.deposit_id ?? '' },
    ...{ created: invoiceTime(row.created), updated: invoiceTime(row.updated) },
  };
}

const WANTED = `from incoming_transfer t
    join workspace_currency c on c.workspace = t.workspace and c.currency = t.currency
    left join wallet w on w.workspace = t.workspace and w.id = t.wallet_id
    where t.workspace = $1 and ($4::uuid is null or w.account_id = $4)
      and ($5::uuid is null or t.wallet_id = $5) and ($6::text is null or t.state = $6)`;

/** A page of transfers. A malformed id matches nothing. */
async function listTransfers(db: Queryable, workspace: number, query: TransfersQuery) {
  const account = query.account_id && uuidOfWireId('acct', query.account_id);
  const wallet = query.wallet_id && (isUuid(query.wallet_id) ? query.wallet_id : null);
  if (account === null || wallet === null) return { total: 0, bank_transfers: [] };
  const page = [Number(query.limit ?? LIST_DEFAULT), Number(query.offset ?? 0)];
  const rows = await db.query<Row>({
    text: `with n as (select count(*) as total ${WANTED})
      select n.total, p.* from n left join lateral (
        select t.id, t.state, t.why, t.currency, t.amount, t.value_date, t.bank_reference,
          t.wallet_id, t.entry_id, t.created, t.updated, w.account_id, c.digits,
          (select d.id from deposit d where d.workspace = t.workspace
            and d.incoming_transfer_id = t.id) as deposit_id
        ${WANTED}
        order by t.created desc, t.id desc limit $2 offset $3) p on true`,
    values: [workspace, ...page, account ?? null, wallet ?? null, query.state ?? null],
  });
  const shown = rows.flatMap((row) => (row.id === null ? [] : [render({ ...row, id: row.id })]));
  return { total: Number(rows[0]?.total ?? 0n), bank_transfers: shown };
}

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

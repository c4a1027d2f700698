// Bank transfers in the sandbox: a call makes a statement file of an invented bank and imports it
// as an operator's would be. Staging only. [G-64, G-91]
import { z } from 'zod';
import { ibanOf } from '../../core/bank-numbers.ts';
import { accountId } from '../../core/ids.ts';
import { toWire } from '../../core/money.ts';
import { refuse } from '../../core/refusal.ts';
import { currencyCode, optional, positiveAmount, strictObject, text } from '../../core/schema.ts';
import type { Instant } from '../../core/time.ts';
import type { DomainOperation, Services } from '../../product/context.ts';
import {
  activeBankAccount,
  importStatement,
  incomingStates,
  latestBalance,
  REASONS,
  setBankAccount,
  transferOfReference,
  type BankAccount,
} from '../../product/money/bank/index.ts';
import { refusals as wallet } from '../../product/money/wallet/index.ts';
import { operation } from '../services.ts';
import { sandboxStatement } from './bank-file.ts';
import { onceOutside } from './outside.ts';
import { sql } from '../../db/index.ts';

const ACTOR = 'sandbox';
/** A line of remittance information. */
const TEXT_MAX = 140;

/** The bank account of a currency; an invented one where the tenant has none yet. */
export async function ensureSandboxBank(
  services: Pick<Services, 'db' | 'random'>,
  workspace: number,
  currency: string,
): Promise<BankAccount | null> {
  const known = await activeBankAccount(services.db, workspace, currency);
  if (known !== null) return known;
  const account = [...currency].map((letter) => letter.charCodeAt(0)).join('').padStart(8, '0');
  const facts = {
    ...{ currency, number: ibanOf('GB', `HOLD000000${account}`), bic: 'HOLDGB00' },
    ...{ holder: 'Sandbox Marketplace', bankName: 'Sandbox Bank', columns: null },
  };
  const set = await setBankAccount(services, workspace, facts, ACTOR);
  return set ? activeBankAccount(services.db, workspace, currency) : null;
}

const transferRecord = z.strictObject({
  transfer_id: z.string(),
  state: z.enum(incomingStates),
  why: z.enum(['', ...REASONS]).meta({ description: 'Why no wallet was credited by itself.' }),
  currency: z.string(),
  amount: z.int(),
  bank_reference: z.string(),
  account_id: z.string(),
  wallet_id: z.string(),
  deposit_id: z.string(),
}).meta({ title: 'SandboxBankTransfer' });

const makeTransfer = operation({
  id: 'sandboxBankTransfer',
  route: 'POST invoicing /sandbox/bank_transfers',
  summary: 'Makes a bank transfer arrive, with the given text as its remittance information.',
  cites: 'G-91',
  access: { client: 'write_sandbox' },
  body: strictObject({
    currency: currencyCode(),
    amount: positiveAmount(),
    remittance_text: optional(text(TEXT_MAX)).meta({
      description: 'The reference of deposit instructions; a wrong or no text is left to a person.',
      examples: ['RF18 5390 0754 7034 1234'],
    }),
  }),
  answers: { 201: transferRecord },
  refusals: [wallet.CURRENCY_NOT_ENABLED],
  stagingOnly: true,
  async run(services, { caller: { workspace }, body, idempotency }) {
    const { db, random } = services;
    const account = await ensureSandboxBank(services, workspace, body.currency);
    if (account === null) {
      throw refuse(wallet.CURRENCY_NOT_ENABLED, { currency: 'is not enabled' });
    }
    return onceOutside(services, workspace, idempotency, async () => {
      const [now] = await db.query<{ at: Instant }>(sql`select workspace_now(${workspace}) as at`);
      const id = `SBX${random.uuid().replaceAll('-', '')}`;
      const file = sandboxStatement({
        ...{ account, id, at: now?.at ?? '', payer: 'Sandbox Payer' },
        opening: await latestBalance(db, workspace, account.id),
        amount: BigInt(body.amount),
        text: body.remittance_text ?? '',
      });
      await importStatement(services, workspace, { bytes: Buffer.from(file) }, ACTOR);
      // Another import may have taken its row.
      const row = await transferOfReference(db, workspace, id);
      if (row === null) throw new Error('a transfer of the sandbox was not taken');
      return {
        transfer_id: row.id,
        ...{ state: row.state, why: row.why ?? '', currency: row.currency },
        amount: toWire(row.amount),
        bank_reference: row.bank_reference,
        account_id: row.account_id === null ? '' : accountId(row.account_id),
        ...{ wallet_id: row.wallet_id ?? '', deposit_id: row.deposit_id ?? '' },
      };
    });
  },
});

export const bankOperations: readonly DomainOperation[] = [makeTransfer];

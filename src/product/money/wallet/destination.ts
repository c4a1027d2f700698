// Bank accounts by IBAN, which payouts reach by file: how one is checked, sealed with its owner's
// key and opened again. An IBAN leaves here to a payout file alone; elsewhere its last four show.
import {
  countrySpecs,
  electronicFormatIBAN,
  isSEPACountry,
  isValidBIC,
  isValidIBAN,
} from 'ibantools';
import { z } from 'zod';
import type { Command } from '../../../engine/index.ts';
import { name, optional, strictObject, wireIdOf } from '../../../core/schema.ts';
import { report } from '../../../core/text-fields.ts';
import { accountTable, type PersonSealer } from '../../people/account/index.ts';
import { insertMethod } from './method.ts';
import { paymentMethod } from './schema.ts';
import { payoutDestinationTable } from './tables.ts';

/** The longest name that a bank's file takes. */
const HOLDER_MAX = 70;
/** An IBAN as printed: 34 characters in groups of four. */
const IBAN_MAX = 42;
const BIC_MAX = 11;

/** Body of POST /v1/payment_method/bank_account. */
export const bankAccountBody = strictObject({
  account_id: wireIdOf('acct'),
  iban: z
    .string()
    .check((payload) => {
      const fault = ibanFault(payload.value);
      if (fault !== null) report(payload, fault);
    })
    .meta({ maxLength: IBAN_MAX, examples: ['NL91ABNA0417164300'] }),
  bic: optional(
    z
      .string()
      .check((payload) => {
        if (!isValidBIC(payload.value)) report(payload, 'must be a valid BIC');
      })
      .meta({ maxLength: BIC_MAX }),
  ),
  holder_name: name(HOLDER_MAX).meta({ description: 'The name on the bank account.' }),
});

/** An IBAN without spaces, in capitals. */
export function ibanOf(text: string): string {
  return electronicFormatIBAN(text) ?? '';
}

/** What is wrong with a text as an IBAN: country, length or digits; null for nothing. */
function ibanFault(text: string): string | null {
  const iban = text.length > IBAN_MAX ? '' : ibanOf(text);
  if (isValidIBAN(iban)) return null;
  const country = iban.slice(0, 2);
  const chars = countrySpecs[country]?.chars ?? null;
  if (chars === null) return 'must be a valid IBAN: it begins with the code of its country';
  return iban.length === chars
    ? 'must be a valid IBAN: a character is mistyped'
    : `must be a valid IBAN: it has ${chars} characters in ${country}`;
}

/** True for the code of a country whose bank accounts are reached by SEPA. */
export function isSepaCountry(country: string): boolean {
  return isSEPACountry(country);
}

/** Where a payout goes. */
export interface Destination {
  readonly holder: string;
  readonly iban: string;
  /** '' where none was given. */
  readonly bic: string;
}

/** True where a euro payment to the account is a SEPA credit transfer. */
export function isSepa({ iban }: Pick<Destination, 'iban'>): boolean {
  return isSEPACountry(iban.slice(0, 2));
}

/** Seals a destination for the payment method of that id. */
export function sealDestination(sealer: PersonSealer, id: string, of: Destination): string {
  return sealer.sealJson('payoutDestination', id, of);
}

/** Opens what `sealDestination` made. */
export function openDestination(sealer: PersonSealer, id: string, sealed: string): Destination {
  return sealer.openJson<Destination>('payoutDestination', id, sealed);
}

/** A bank account to be added. */
export interface BankAccountInput {
  /** Id of the new payment method. */
  readonly id: string;
  /** UUID of the owner. */
  readonly account: string;
  readonly last4: string;
  readonly sealed: string;
  readonly currency: string;
  readonly integrator: string;
}

/** Adds a bank account to its owner. Answers 201 with the payment method record. */
export const addBankAccount: Command<BankAccountInput> = {
  name: 'add_bank_account',
  load(rows, { account }) {
    rows.read(accountTable, account);
  },
  decide(decision, { id, account, last4, sealed, currency, integrator }) {
    const display_string = `Bank account ending in ${last4}`;
    const kind = { provider: 'bank', method_class: 'iban', processor_token: '' } as const;
    const row = insertMethod(decision, { id, account, currency, display_string, ...kind });
    decision.insert(payoutDestinationTable, { workspace: decision.workspace, id, sealed });
    return { status: 201, payload: paymentMethod(row, 0n, integrator) };
  },
};

// Which accounts a seller of a country can add to be paid out to: what the processor takes, and an
// IBAN where the tenant's bank pays by SEPA. [G-91]
import { z } from 'zod';
import { currencyCode, strictObject } from '../../../core/schema.ts';
import { PAYOUT_ENTRIES, type PayoutEntry } from '../../../providers/processor/port.ts';
import type { Services } from '../../context.ts';
import { activeBankAccount } from '../bank/index.ts';
import { isSepaCountry } from '../wallet/index.ts';
import { countryOfBusiness } from '../../people/business/index.ts';
import { countryOfPerson } from '../../people/identity/index.ts';

const WAYS = ['iban', ...PAYOUT_ENTRIES] as const;
type Way = (typeof WAYS)[number];

/** Where account and routing numbers are of the form that processors' pages take. */
const ROUTED = 'US';

export const waysQuery = strictObject({ currency: currencyCode() });

export const waysRecord = strictObject({
  country: z.string().meta({
    description: 'Of the business or the person, ISO 3166-1 alpha-2; empty: not known.',
  }),
  currency: z.string(),
  ways: z.array(z.enum(WAYS)).meta({
    description:
      '`iban`: a bank account by IBAN. On a page of the card processor: `bank`, a US account; ' +
      '`paypal`, a login; `payee`, an account of the seller there. Empty: no way is configured.',
  }),
}).meta({ title: 'PayoutWays' });

/** The ways for a country; all that there are where it is not known. */
export function waysFor(
  country: string,
  entries: readonly PayoutEntry[],
  hasBank: boolean,
): readonly Way[] {
  return WAYS.filter((way) => {
    if (way === 'iban') return hasBank && (country === '' || isSepaCountry(country));
    if (way === 'bank' && !['', ROUTED].includes(country)) return false;
    return entries.includes(way);
  });
}

/** The ways of an account in a currency; null for an account that is unknown or erased. */
export async function waysOf(
  services: Services,
  workspace: number,
  account: string,
  currency: string,
): Promise<z.output<typeof waysRecord> | null> {
  const { db, env, processor } = services;
  const person = await countryOfPerson(services, workspace, account);
  if (person === null) return null;
  const country = (await countryOfBusiness(db, workspace, account)) || person;
  const entries = await processor.payoutEntries(workspace);
  // A sandbox invents its bank account when it is first needed.
  const hasBank =
    env === 'staging' || (await activeBankAccount(db, workspace, currency)) !== null;
  return { country, currency, ways: [...waysFor(country, entries, hasBank)] };
}

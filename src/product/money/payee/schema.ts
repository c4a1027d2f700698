// The record of a seller's account at the processor: the one place where its wire fields are
// spelled. [G-91]
import { z } from 'zod';
import { accountId } from '../../../core/ids.ts';
import { optional, reference, strictObject, wireIdOf } from '../../../core/schema.ts';
import { invoiceTime } from '../../../core/time.ts';
import { payeeMachine } from './machine.ts';
import type { PayeeRow } from './tables.ts';

const ADDRESS_MAX = 2_048;

export const accountQuery = strictObject({ account_id: wireIdOf('acct') });

const address = (why: string) => optional(reference(ADDRESS_MAX)).meta({ description: why });

/** Body of a link: both addresses must be registered in the settings. */
export const linkBody = strictObject({
  account_id: wireIdOf('acct'),
  country: optional(z.string().regex(/^[A-Z]{2}$/, 'must be a country such as US')).meta({
    description: 'Of the seller, ISO 3166-1 alpha-2; counts when the account is opened.',
  }),
  return_url: address('Where the page sends the seller when they are done or give up.'),
  refresh_url: address('Where it sends them once the link is not valid: ask for a new one there.'),
});

/** How far a seller's account at the processor is. */
export const payeeRecord = strictObject({
  account_id: z.string(),
  /** The destination of payouts; '' while the account is being opened. */
  payment_method_id: z.string(),
  status: z.enum(payeeMachine.states).meta({
    description: '`ready`: it takes payouts. `restricted`: the processor requires more.',
  }),
  requirements: z.array(z.string()).meta({
    description: "What the processor requires of the seller now, in the processor's words.",
  }),
  created: z.string(),
  updated: z.string(),
}).meta({ title: 'Payee' });

export const linkRecord = payeeRecord
  .extend({ url: z.string(), expires: z.string() })
  .meta({ title: 'PayeeLink' });

export function renderPayee(row: PayeeRow): z.output<typeof payeeRecord> {
  return {
    account_id: accountId(row.account_id),
    payment_method_id: row.payment_method_id ?? '',
    status: row.state,
    requirements: row.state === 'ready' ? [] : (JSON.parse(row.due_items) as string[]),
    created: invoiceTime(row.created),
    updated: invoiceTime(row.updated),
  };
}

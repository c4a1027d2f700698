// Coverage: what is held in each currency against what is owed to people. [G-99]
import { z } from 'zod';
import { toWire } from '../../../core/money.ts';
import { strictObject } from '../../../core/schema.ts';
import { invoiceTime } from '../../../core/time.ts';
import { STANDING } from '../../../ledger/index.ts';
import type { KindSum, Sums } from './sums.ts';

/** Where money lies, by kind of ledger account. */
const PLACES: Readonly<Record<string, Exclude<keyof typeof held, 'total'>>> = {
  processor_clearing: 'processor',
  processor_available: 'processor',
  in_transit: 'in_transit',
  bank: 'bank',
  opening_balances: 'elsewhere',
  sandbox_funding: 'sandbox',
};

/** To whom it is owed; every other kind of obligation is on its way. */
const OWED: Readonly<Record<string, Exclude<keyof typeof owed, 'total'>>> = {
  wallet: 'wallets',
  kept_back: 'restricted',
  escrow: 'escrows',
};

const minor = (description: string): z.ZodInt => z.int().meta({ description });

const held = {
  processor: minor('At the card processor, pending or available.'),
  in_transit: minor('Sent by the processor to the bank account and not yet arrived.'),
  bank: minor('On the bank account, by its statements.'),
  elsewhere: minor('Moved in with accounts, and not yet arrived at the bank.'),
  sandbox: minor('Invented, in a sandbox.'),
  total: minor('All of it.'),
};

const owed = {
  wallets: minor("In people's wallets."),
  restricted: minor('Earned, and not in the wallet yet.'),
  escrows: minor('In open escrows.'),
  in_transit: minor('On its way to somebody: payments, refunds and payouts that are not done.'),
  total: minor('All of it.'),
};

/** What is held against what is owed, by currency. Minor units. */
export const coverageRecord = strictObject({
  integrator: z.string(),
  as_of: z.string(),
  currencies: z.array(
    strictObject({
      currency: z.string(),
      held: strictObject(held),
      owed: strictObject(owed),
      covered: z.boolean().meta({ description: 'True where at least as much is held as is owed.' }),
    }),
  ),
}).meta({ title: 'Coverage' });
export type Coverage = z.output<typeof coverageRecord>;

/** The coverage of a tenant, from the sums of its books. */
export function coverageOf(integrator: string, { at, kinds }: Sums): Coverage {
  const currencies = [...Map.groupBy(kinds, (one) => one.currency)].map(([currency, sums]) => {
    const [held, owed] = [heldOf(sums), owedOf(sums)];
    return { currency, held, owed, covered: held.total >= owed.total };
  });
  return { integrator, as_of: invoiceTime(at), currencies };
}

function heldOf(sums: readonly KindSum[]) {
  const found = { processor: 0, in_transit: 0, bank: 0, elsewhere: 0, sandbox: 0, total: 0 };
  for (const { kind, amount } of sums) {
    const place = PLACES[kind];
    if (place === undefined) continue;
    found[place] -= toWire(amount);
    found.total -= toWire(amount);
  }
  return found;
}

function owedOf(sums: readonly KindSum[]) {
  const found = { wallets: 0, restricted: 0, escrows: 0, in_transit: 0, total: 0 };
  for (const { kind, amount } of sums) {
    if (STANDING[kind as keyof typeof STANDING] !== 'owed') continue;
    found[OWED[kind] ?? 'in_transit'] += toWire(amount);
    found.total += toWire(amount);
  }
  return found;
}

// What an accountant reads of the sums of entries: the trial balance, an account's balances at a
// moment, and the statement of a month. Pure. [G-99]
import { z } from 'zod';
import { toWire } from '../../../core/money.ts';
import { strictObject } from '../../../core/schema.ts';
import { addMicros, invoiceTime, type Instant } from '../../../core/time.ts';
import type { Moved, Span } from './entries.ts';
import type { KindSum } from './sums.ts';

const minor = (description: string): z.ZodInt => z.int().meta({ description });
const DEBIT = 'Minor units: more debits than credits.';
const CREDIT = 'Minor units: more credits than debits.';
const sides = { debit: minor(DEBIT), credit: minor(CREDIT) };

/** Each kind of ledger account by currency; both columns have the same total. */
export const trialBalanceRecord = strictObject({
  as_of: z.string(),
  currencies: z.array(
    strictObject({
      currency: z.string(),
      accounts: z.array(strictObject({ kind: z.string(), ...sides })),
      total: strictObject(sides),
    }),
  ),
}).meta({ title: 'TrialBalance' });
export type TrialBalance = z.output<typeof trialBalanceRecord>;

/** An account's money at a moment, by currency. */
export const balancesRecord = strictObject({
  account_id: z.string(),
  as_of: z.string(),
  balances: z.array(
    strictObject({
      currency: z.string(),
      wallet: minor('Minor units in the wallet.'),
      restricted: minor('Minor units earned, and not in the wallet yet.'),
    }),
  ),
}).meta({ title: 'BalancesAtMoment' });
export type Balances = z.output<typeof balancesRecord>;

const movement = strictObject({
  resource: z.string().meta({ description: 'The lifecycle that moved it.' }),
  event: z.string().meta({ description: 'Its move.' }),
  count: minor('Ledger entries.'),
  debit: minor('Minor units taken out.'),
  credit: minor('Minor units brought in.'),
}).meta({ title: 'StatementMovement' });

/** A month: what was there, all that moved it, and what is there; it adds up. */
export const statementRecord = strictObject({
  account_id: z.string().meta({ description: "'' for the tenant's own statement." }),
  from: z.string(),
  to: z.string(),
  accounts: z.array(
    strictObject({
      kind: z.string(),
      currency: z.string(),
      opening: minor('Minor units; negative where debits exceed credits.'),
      movements: z.array(movement),
      closing: minor('The opening balance, less debits, plus credits.'),
    }),
  ),
}).meta({ title: 'MonthlyStatement' });
export type MonthlyStatement = z.output<typeof statementRecord>;

const net = ({ debit, credit }: Pick<Moved, 'debit' | 'credit'>): bigint => credit - debit;
const sum = (all: readonly bigint[]): bigint => all.reduce((one, other) => one + other, 0n);

/** The balance of each kind, from sums of entries. */
export function kindsOf(moved: readonly Moved[]): KindSum[] {
  const groups = Map.groupBy(moved, ({ currency, kind }) => `${currency} ${kind}`);
  return [...groups.values()].flatMap((of) => {
    return of.slice(0, 1).map(({ currency, kind }) => {
      return { currency, kind, amount: sum(of.map(net)) };
    });
  });
}

/** One column for each sign: what lies somewhere or was spent is a debit. */
const sided = (amount: bigint) => ({
  debit: amount < 0n ? toWire(-amount) : 0,
  credit: amount > 0n ? toWire(amount) : 0,
});

/** The trial balance, of kinds that are not zero. */
export function trialBalanceOf(at: Instant, kinds: readonly KindSum[]): TrialBalance {
  const moved = kinds.filter(({ amount }) => amount !== 0n);
  const currencies = [...Map.groupBy(moved, (one) => one.currency)].map(([currency, of]) => {
    const accounts = of.map(({ kind, amount }) => ({ kind, ...sided(amount) }));
    const total = (side: 'debit' | 'credit'): number =>
      accounts.reduce((all, one) => all + one[side], 0);
    return { currency, accounts, total: { debit: total('debit'), credit: total('credit') } };
  });
  return { as_of: invoiceTime(at), currencies };
}

/** The wallets and restricted funds of an account. */
export function balancesOf(
  account_id: string,
  at: Instant,
  moved: readonly Moved[],
): Balances {
  const groups = Map.groupBy(kindsOf(moved), ({ currency }) => currency);
  const balances = [...groups].map(([currency, kinds]) => {
    const of = (kind: string): number =>
      toWire(sum(kinds.filter((one) => one.kind === kind).map(({ amount }) => amount)));
    return { currency, wallet: of('wallet'), restricted: of('kept_back') };
  });
  return { account_id, as_of: invoiceTime(at), balances };
}

/** The statement of a span; `account_id` is '' for the tenant's. */
export function statementOf(
  account_id: string,
  { from, to }: Span,
  moved: readonly Moved[],
): MonthlyStatement {
  const groups = Map.groupBy(moved, ({ currency, kind }) => `${currency} ${kind}`);
  const accounts = [...groups.values()].flatMap((of) => {
    const before = of.filter(({ event }) => event === '');
    const movements = of.filter(({ event }) => event !== '');
    return of.slice(0, 1).map(({ kind, currency }) => ({
      kind,
      currency,
      opening: toWire(sum(before.map(net))),
      movements: movements.map(({ resource, event, count, debit, credit }) => {
        const sides = { debit: toWire(debit), credit: toWire(credit) };
        return { resource, event, count: toWire(count), ...sides };
      }),
      closing: toWire(sum(of.map(net))),
    }));
  });
  return { account_id, from: invoiceTime(from), to: invoiceTime(to), accounts };
}

/** `YYYY-MM`. */
export const MONTH = /^(?:20|21)\d\d-(?:0[1-9]|1[0-2])$/;

/** A month of the calendar, in UTC. */
export function monthSpan(month: string): Span {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
  return { from: firstOf(month), to: firstOf(next) };
}

const firstOf = (month: string): Instant => `${month}-01T00:00:00.000000Z`;

/** All until a moment, which counts. */
export function untilSpan(at: Instant): Span {
  const to = addMicros(at, 1);
  return { from: to, to };
}

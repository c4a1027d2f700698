// The operations of payout schedules: a tenant's default for each currency, and an account's own.
// [G-91]
import { z } from 'zod';
import type { Caller } from '../../../core/operation.ts';
import { accountId } from '../../../core/ids.ts';
import { toWire } from '../../../core/money.ts';
import { refuse } from '../../../core/refusal.ts';
import {
  currencyCode,
  optional,
  positiveAmount,
  strictObject,
  wireIdOf,
} from '../../../core/schema.ts';
import type { Check } from '../../../core/text-fields.ts';
import { invoiceTime } from '../../../core/time.ts';
import { accountIs, ownAccountOnly } from '../../people/account/index.ts';
import { audit } from '../../tell/audit/index.ts';
import { actorOf, operation, type DomainOperation, type Services } from '../../context.ts';
import { once } from '../../idempotent/index.ts';
import { methodOfAccount, priceOf, refusals as no } from '../payout/index.ts';
import {
  BY_HAND,
  INTERVALS,
  schedulesOf,
  storeSchedule,
  WEEKDAYS,
  type Schedule,
  type ScheduleChange,
} from './store.ts';

const read = { client: 'read_process_credits', session: 'read_process_credits' } as const;
const write = { client: 'write_process_credits', session: 'write_process_credits' } as const;

const idInBody = z.string().max(36);
const accountPath = strictObject({ account_id: wireIdOf('acct') });
const weekday = optional(z.enum(WEEKDAYS)).meta({ description: 'Required for `weekly`.' });
const minimum = optional(positiveAmount()).meta({ description: 'Pays out from this amount on.' });

/** A weekly schedule has a weekday, and no other has. */
function weekdayFits(payload: Check<{ interval?: string | undefined; weekday?: unknown }>): void {
  const { interval, weekday: day } = payload.value;
  if ((interval === 'weekly') === (day !== undefined)) return;
  const message = interval === 'weekly' ? 'is required for weekly' : 'is only for weekly';
  payload.issues.push({ code: 'custom', input: day, path: ['weekday'], message });
}

const defaultBody = strictObject({
  currency: currencyCode(),
  interval: z.enum(INTERVALS),
  weekday,
  minimum_amount: minimum,
}).check(weekdayFits);

const accountBody = strictObject({
  currency: currencyCode(),
  destination_payment_method_id: idInBody,
  interval: optional(z.enum(INTERVALS)).meta({ description: "By default the tenant's." }),
  weekday,
  minimum_amount: minimum,
}).check(weekdayFits);

const scheduleRecord = strictObject({
  account_id: z.string(),
  currency: z.string(),
  interval: z.enum(INTERVALS),
  weekday: z.enum(['', ...WEEKDAYS]),
  minimum_amount: z.int(),
  inherited: z.boolean(),
  destination_payment_method_id: z.string(),
  next_payout: z.string(),
  last_outcome: z.string().meta({
    description: '`requested`, `too_little`, the code of a refusal, or empty.',
  }),
}).meta({ title: 'PayoutSchedule' });

function shown(schedule: Omit<Schedule, 'id'>): z.output<typeof scheduleRecord> {
  const { account_id, currency, interval, weekday: day, inherited, due } = schedule;
  return {
    account_id: account_id === null ? '' : accountId(account_id),
    currency,
    interval,
    weekday: day === null ? '' : (WEEKDAYS[day - 1] ?? ''),
    minimum_amount: toWire(schedule.minimum),
    inherited,
    destination_payment_method_id: schedule.destination_method_id ?? '',
    next_payout: due === null ? '' : invoiceTime(due),
    last_outcome: schedule.outcome,
  };
}

/** The tenant's defaults, in every enabled currency. */
async function defaultsOf({ db, workspaces }: Services, workspace: number) {
  const set = await schedulesOf(db, workspace, null);
  const enabled = await workspaces.currencies(workspace);
  const none = { account_id: null, destination_method_id: null, due: null, outcome: '' };
  return [...enabled.keys()].map((currency) => {
    const one = set.find((schedule) => schedule.currency === currency);
    return shown(one ?? { ...BY_HAND, ...none, currency, inherited: false });
  });
}

/** The weekday's number. */
function dayOf(day: string | undefined): number | null {
  return day === undefined ? null : WEEKDAYS.findIndex((one) => one === day) + 1;
}

async function requireCurrency(services: Services, caller: Caller, currency: string) {
  if ((await services.workspaces.currencies(caller.workspace)).has(currency)) return;
  throw refuse(no.CURRENCY_NOT_ENABLED, { currency: 'is not enabled' });
}

/** Stores a change once for each key, and answers with what `show` gives. */
function change(
  services: Services,
  { caller, idempotency }: { caller: Caller; idempotency: Parameters<typeof once>[2] },
  wanted: ScheduleChange,
) {
  const { db, workspaces } = services;
  const { workspace } = caller;
  return once(db, workspace, idempotency, async (tx) => {
    await storeSchedule(tx, workspace, workspaces.lineageOf(workspace), wanted);
    const detail = { currency: wanted.currency, interval: wanted.interval };
    const subject = wanted.account ?? '';
    const act = 'payout_schedule_changed' as const;
    await audit(tx, { workspace, actor: actorOf(caller), act, subject, detail });
    const all = await schedulesOf(tx, workspace, wanted.account);
    const stored = all.find(({ currency }) => currency === wanted.currency);
    if (stored === undefined) throw new Error('a payout schedule was not stored');
    return { status: 200, payload: shown(stored) };
  });
}

const getDefaults = operation({
  id: 'listPayoutScheduleDefaults',
  route: 'GET invoicing /v2/payout_schedule',
  summary: "Lists the tenant's default payout schedules by currency.",
  cites: 'G-91',
  access: { client: read.client },
  answers: { 200: z.array(scheduleRecord) },
  async run(services, { caller }) {
    return { status: 200, payload: await defaultsOf(services, caller.workspace) };
  },
});

const setDefault = operation({
  id: 'setPayoutScheduleDefault',
  route: 'PUT invoicing /v2/payout_schedule',
  summary: "Sets the tenant's default payout schedule in a currency.",
  cites: 'G-91',
  access: { client: write.client },
  body: defaultBody,
  answers: { 200: scheduleRecord },
  refusals: [no.CURRENCY_NOT_ENABLED],
  async run(services, request) {
    const { caller, body } = request;
    const { currency, interval } = body;
    await requireCurrency(services, caller, currency);
    return change(services, request, {
      ...{ account: null, currency, interval, weekday: dayOf(body.weekday) },
      minimum: BigInt(body.minimum_amount ?? 0),
      destination: null,
    });
  },
});

const get = operation({
  id: 'listPayoutSchedules',
  route: 'GET invoicing /v2/{account_id}/payout_schedule',
  summary: 'Lists the payout schedules of an account by currency.',
  cites: 'G-91',
  access: read,
  params: accountPath,
  answers: { 200: z.array(scheduleRecord) },
  refusals: [no.ACCOUNT_NOT_FOUND],
  async run({ db }, { caller, params }) {
    const account = ownAccountOnly(caller, params.account_id, no.ACCOUNT_NOT_FOUND);
    if (!(await accountIs(db, caller.workspace, account))) throw refuse(no.ACCOUNT_NOT_FOUND);
    const schedules = await schedulesOf(db, caller.workspace, account);
    return { status: 200, payload: schedules.map(shown) };
  },
});

const set = operation({
  id: 'setPayoutSchedule',
  route: 'PUT invoicing /v2/{account_id}/payout_schedule',
  summary: "Sets where and when an account's balance in a currency is paid out.",
  cites: 'G-91',
  access: write,
  params: accountPath,
  body: accountBody,
  answers: { 200: scheduleRecord },
  refusals: [
    no.ACCOUNT_NOT_FOUND,
    no.CURRENCY_NOT_ENABLED,
    no.PAYMENT_METHOD_NOT_FOUND,
    no.PAYMENT_METHOD_NOT_ACTIVE,
    no.PAYOUT_DESTINATION_NOT_ALLOWED,
  ],
  async run(services, request) {
    const { caller, params, body } = request;
    const account = ownAccountOnly(caller, params.account_id, no.ACCOUNT_NOT_FOUND);
    const { db } = services;
    if (!(await accountIs(db, caller.workspace, account))) throw refuse(no.ACCOUNT_NOT_FOUND);
    const { currency, interval, minimum_amount } = body;
    await requireCurrency(services, caller, currency);
    const weekdayNumber = dayOf(body.weekday);
    const { destination_payment_method_id: destination } = body;
    await requireDestination(services, caller, account, destination);
    return change(services, request, {
      ...{ account, currency, interval: interval ?? null, weekday: weekdayNumber, destination },
      minimum: minimum_amount === undefined ? null : BigInt(minimum_amount),
    });
  },
});

async function requireDestination(
  { db }: Services,
  { workspace }: Caller,
  account: string,
  id: string,
): Promise<void> {
  const method = await methodOfAccount(db, workspace, account, id);
  const field = 'destination_payment_method_id';
  if (method === null) {
    const text = 'does not exist or belongs to another account';
    throw refuse(no.PAYMENT_METHOD_NOT_FOUND, { [field]: text });
  }
  if (method.pm_state !== 'ACTIVE') {
    throw refuse(no.PAYMENT_METHOD_NOT_ACTIVE, { [field]: 'is not active' });
  }
  // Any amount that leaves something after the fee: only the provider is asked about.
  priceOf(method.provider, 100_000n);
}

export const operations: readonly DomainOperation[] = [getDefaults, setDefault, get, set];

// The sandbox's clock over the API: its time, what is due, and advancing it. Staging only. [G-64]
import { z } from 'zod';
import type { Answer, IdempotencyClaim } from '../../core/operation.ts';
import { refuse } from '../../core/refusal.ts';
import { optional, strictObject } from '../../core/schema.ts';
import type { DomainOperation } from '../../product/context.ts';
import { operation, type SandboxServices } from '../services.ts';
import { keptAnswer, once } from '../../product/idempotent/index.ts';
import { advance, withLease, type Request } from './advance.ts';
import { END_OF_TIME, leftUndone, readClock, thingsDue, type DueThing } from './due.ts';
import { refusals } from './refusals.ts';
import { addMicros, instantFromMillis, isInstant, type Instant } from '../../core/time.ts';

const ZONE = '([Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';
const SECOND = '(\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d)';
const MOMENT = new RegExp(`^${SECOND}(?:\\.(\\d{1,9}))?${ZONE}$`);
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

/**
 * The time of an RFC 3339 text; digits beyond microseconds are cut off. Null for any other text,
 * for a leap second, and for years without four digits in UTC.
 */
export function momentOf(text: string): Instant | null {
  const [, local = '', fraction = '', zone = ''] = MOMENT.exec(text) ?? [];
  const second = local.toUpperCase();
  if (!isInstant(`${second}.000000Z`)) return null;
  const ms = Date.parse(`${second}${zone.toUpperCase()}`);
  if (!(ms >= FIRST_MS && ms <= LAST_MS)) return null;
  return addMicros(instantFromMillis(ms), Number(fraction.padEnd(6, '0').slice(0, 6)));
}

/** How many due items are shown. */
const SHOWN = 50;

const dueRecord = z.strictObject({
  /** By the workspace's clock. */
  at: z.string(),
  /** A name of the list in docs/sandbox.md. */
  what: z.string(),
  id: z.string(),
}).meta({ title: 'DueAction' });

const SECONDS_MAX = 315_360_000;

const requestBody = strictObject({
  advance_seconds: optional(z.int().min(1).max(SECONDS_MAX)),
  to: optional(
    z
      .string()
      .max(40)
      .refine(
        (text) => momentOf(text) !== null,
        'must be a date and time with an offset, such as 2027-01-31T00:00:00Z',
      )
      .meta({ format: 'date-time' }),
  ),
  next: optional(z.boolean()),
  until_idle: optional(z.boolean()),
}).meta({ description: 'Send exactly one of the four fields.' });

const clockRecord = z.strictObject({
  now: z.string(),
  offset_seconds: z.number(),
  /** How many items are in progress and will end by themselves. */
  under_way: z.int(),
  next: dueRecord.nullable(),
  due: z.array(dueRecord),
}).meta({ title: 'ClockState' });

const movedRecord = z.strictObject({
  before: z.string(),
  now: z.string(),
  steps: z.array(dueRecord),
  idle: z.boolean(),
  next: dueRecord.nullable(),
});

function shown({ at, what, id }: DueThing): z.output<typeof dueRecord> {
  return { at, what, id };
}

const readIt = operation({
  id: 'sandboxClock',
  route: 'GET invoicing /sandbox/clock',
  summary: 'Retrieves the time of the sandbox clock and the work that is due later.',
  cites: 'G-64',
  access: { client: 'write_sandbox' },
  answers: { 200: clockRecord },
  stagingOnly: true,
  async run({ db }, { caller: { workspace } }) {
    const { now, ahead: offset_seconds } = await readClock(db, workspace);
    const request = { from: null, to: END_OF_TIME, most: SHOWN };
    const [things, left] = [
      await thingsDue(db, workspace, request),
      await leftUndone(db, workspace),
    ];
    const under_way = left.length + things.filter(({ kind }) => kind === 'work').length;
    const due = things.slice(0, SHOWN).map(shown);
    return { status: 200, payload: { now, offset_seconds, under_way, next: due[0] ?? null, due } };
  },
});

function requestOf(body: z.output<typeof requestBody>): Request {
  const { advance_seconds: seconds, to, next, until_idle } = body;
  const at = to === undefined ? null : momentOf(to);
  const said: (Request | null)[] = [
    seconds === undefined ? null : { kind: 'advance', seconds },
    at === null ? null : { kind: 'to', to: at },
    next !== true ? null : { kind: 'next' },
    until_idle !== true ? null : { kind: 'until_idle' },
  ];
  const wishes = said.filter((request) => request !== null);
  if (wishes[0] === undefined || wishes.length > 1) throw refuse(refusals.CLOCK_WISH_UNCLEAR);
  return wishes[0];
}

async function moved(
  services: SandboxServices,
  workspace: number,
  request: Request,
  claim: IdempotencyClaim | null,
): Promise<Answer> {
  // Only this very request is continued: the same key with another body is another one.
  const call = claim === null ? null : `${claim.scope} ${claim.fingerprint}`;
  return withLease(services, workspace, call, async (lease) => {
    const kept = await keptAnswer(claim, (work) => once(services.db, workspace, claim, work));
    if (kept !== null) return kept;
    const done = await advance(services, lease, request);
    const { before, now, idle } = done;
    const next = done.next && shown(done.next);
    const payload = { before, now, steps: done.steps.map(shown), idle, next };
    return once(services.db, workspace, claim, async () => ({ status: 200, payload }));
  });
}

const moveIt = operation({
  id: 'sandboxMoveClock',
  route: 'POST invoicing /sandbox/clock',
  summary: 'Moves the sandbox clock forward and waits until all work due until then is done.',
  cites: 'G-64',
  access: { client: 'write_sandbox' },
  body: requestBody,
  answers: { 200: movedRecord },
  refusals: [
    refusals.CLOCK_WISH_UNCLEAR,
    refusals.CLOCK_BACKWARDS,
    refusals.CLOCK_TOO_FAR,
    refusals.CLOCK_BUSY,
  ],
  stagingOnly: true,
  run: (services, { caller, body, idempotency }) =>
    moved(services, caller.workspace, requestOf(body), idempotency),
});

export const operations: readonly DomainOperation[] = [readIt, moveIt];

// Endpoints of the identity vendor simulator, on the processor host: checks under the caller's
// keys, scripts, and later decisions.
import { z } from 'zod';
import type { Answer, Operation } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { IDENTITY_EVENTS } from '../../ports/persons.ts';
import { bookKey } from '../store/access.ts';
import { endpointsOf, EXCHANGE_ANSWERS } from '../store/endpoint.ts';
import type { BookServices } from '../store/endpoint.ts';
import { play } from '../store/playing.ts';
import { turnsOf } from '../store/calls.ts';
import { exchangeOf, leavesDoubt, type Exchange } from '../processor/exchanges.ts';
import type { ExchangeName } from '../processor/exchanges.ts';
import { noticeRequestOf } from '../processor/notice-rows.ts';
import { begin, digestOf, forget, happen, look } from './checks.ts';
import { treatmentFor, treatmentNamed, type Treatment } from './persons.ts';
import { CHECK_BYTES_MAX, checkBody, checkKey, OPERATIONS } from './protocol.ts';
import type { VendorOperation } from './protocol.ts';
import { refusals } from './refusals.ts';

const endpoint = endpointsOf('G-51', 'vendor', refusals.VENDOR_KEY_INVALID);
const KEY_PARAMS = z.strictObject({ key: checkKey });
const TURNS = turnsOf('vendor', '(select token from asker)');

/** Outcomes of vendor calls that a script may set. */
export const EXCHANGES = [
  'honest',
  'slow',
  'timeout_before_effect',
  'timeout_after_effect',
  'late_effect',
  'fault_before_effect',
  'fault_after_effect',
  'busy',
  'garbled_after_effect',
  'silence_without_notice',
  'notice_before_answer',
  'notice_late',
  'notice_twice',
] as const satisfies readonly ExchangeName[];

/** A workspace's key at the vendor. A secret. */
export function vendorKey(keys: Keys, workspace: number): string {
  return bookKey(keys, 'vendor', workspace);
}

interface Asked {
  readonly operation: VendorOperation;
  readonly workspace: number;
  readonly key: string;
  /** Null if only the key is named. */
  readonly treatment: Treatment | null;
}

/** Counts a call and plays it as the script or the person says. */
async function answer(
  { db, delay }: BookServices,
  { operation, workspace, key, treatment }: Asked,
  effect: (exchange: Exchange) => Promise<object>,
): Promise<Answer> {
  const turn = await TURNS.next(db, workspace, key, operation, treatment?.name ?? null);
  const person = treatmentNamed(turn.behaviour ?? '');
  const usual = exchangeOf(operation === 'begin' ? (person.begin ?? 'honest') : 'honest');
  // A person's first call may hide the outcome, so that a repetition learns the truth.
  const again = turn.times > 1 && leavesDoubt(usual) && person.always !== true;
  const calm = again ? exchangeOf('honest') : usual;
  const exchange = turn.scripted === null ? calm : exchangeOf(turn.scripted);
  return play({ db, delay, workspace }, { key, exchange, effect: () => effect(exchange) });
}

const beginCheck = endpoint({
  id: 'vendorBegin',
  route: 'POST /v1/identity/checks/{key}',
  summary: 'Checks a person under the key, once; stores only a keyed digest of the data.',
  params: KEY_PARAMS,
  body: checkBody,
  bodyLimit: CHECK_BYTES_MAX,
  heavy: true,
  answers: EXCHANGE_ANSWERS,
  refusals: [refusals.CHECK_FORGOTTEN, refusals.CHECK_KEY_REUSED],
  async run(services, { workspace, params: { key }, body, bodyDone }) {
    const { db, random, keys } = services;
    const today = new Date().toISOString().slice(0, 10);
    const treatment = treatmentFor(body.person, today);
    const digest = digestOf(keys, workspace, key, body);
    for (const { content } of body.files) if (typeof content !== 'string') content.take();
    // Silence lasts a minute, and others want their bodies parsed meanwhile.
    bodyDone?.();
    return answer(services, { operation: 'begin', workspace, key, treatment }, (exchange) => {
      const reference = `vrf_${random.uuid().replaceAll('-', '')}`;
      const request = noticeRequestOf(exchange, treatment.verdict !== 'pending');
      return begin(db, { workspace, key, digest, reference, treatment }, request);
    });
  },
});

const lookUp = endpoint({
  id: 'vendorLook',
  route: 'GET /v1/identity/checks/{key}',
  summary: 'Retrieves the decision under the key; `absent` if there is none.',
  params: KEY_PARAMS,
  answers: EXCHANGE_ANSWERS,
  async run(services, { workspace, params: { key } }) {
    const asked = { operation: 'look', workspace, key, treatment: null } as const;
    return answer(services, asked, () => look(services.db, workspace, key));
  },
});

const forgetCheck = endpoint({
  id: 'vendorForget',
  route: 'POST /v1/identity/checks/{key}/forget',
  summary: 'Deletes the check under the key permanently; the key cannot be used again.',
  params: KEY_PARAMS,
  answers: EXCHANGE_ANSWERS,
  async run(services, { workspace, params: { key } }) {
    const asked = { operation: 'forget', workspace, key, treatment: null } as const;
    return answer(services, asked, async () => {
      await forget(services.db, workspace, key);
      return { state: 'forgotten', key };
    });
  },
});

const exchanges = endpoint({
  id: 'vendorExchanges',
  route: 'GET /v1/identity/checks/{key}/exchanges',
  summary: 'Counts the calls under the key by kind.',
  params: KEY_PARAMS,
  answers: { 200: z.object({ exchanges: z.array(z.looseObject({ operation: z.string() })) }) },
  async run({ db }, { workspace, params }) {
    return { status: 200, bare: { exchanges: await TURNS.counts(db, workspace, params.key) } };
  },
});

const script = endpoint({
  id: 'vendorScript',
  route: 'POST /v1/identity/script',
  summary: 'Queues the outcome of the next calls, for one test person or for anybody.',
  body: z.strictObject({
    operation: z.enum(OPERATIONS),
    exchange: z.enum(EXCHANGES),
    times: z.int().min(1).max(10_000).optional(),
    person: z.string().max(100).optional(),
  }),
  answers: { 200: z.object({}) },
  async run({ db }, { workspace, body }) {
    const { operation, exchange, times = 1, person: token = '' } = body;
    await TURNS.queue(db, workspace, { operation, exchange, times, token });
    return { status: 200, bare: {} };
  },
});

const outside = endpoint({
  id: 'vendorOutsideEvent',
  route: 'POST /v1/identity/outside-events',
  summary: 'Makes the vendor decide, or change its decision, and send a webhook.',
  body: z.strictObject({ key: checkKey, event: z.enum(IDENTITY_EVENTS) }),
  answers: { 200: z.object({}) },
  refusals: [refusals.IDENTITY_EVENT_IMPOSSIBLE],
  async run({ db }, { workspace, body }) {
    if (!(await happen(db, workspace, body.key, body.event))) {
      throw refuse(refusals.IDENTITY_EVENT_IMPOSSIBLE);
    }
    return { status: 200, bare: {} };
  },
});

/** Every endpoint of the vendor, in the order of the docs. */
export const operations = [
  beginCheck,
  lookUp,
  forgetCheck,
  exchanges,
  script,
  outside,
] as readonly Operation<BookServices>[];

// Endpoints of the identity vendor simulator, on the processor host: checks under the caller's
// keys, scripts, and later decisions.
import { z } from 'zod';
import type { Keys } from '../../../providers/keys/port.ts';
import { IDENTITY_EVENTS } from '../../ports/persons.ts';
import { bookKey } from '../store/access.ts';
import { queueScript, type Turn } from '../store/calls.ts';
import { callCounts, endpointsOf, outsideEvent } from '../store/endpoint.ts';
import { hiddenOnce, play } from '../store/playing.ts';
import { exchangeOf, type Exchange, type ExchangeName } from '../processor/exchanges.ts';
import { noticeRequestOf } from '../processor/notice-rows.ts';
import { begin, digestOf, forget, happen, look } from './checks.ts';
import { treatmentFor, treatmentNamed } from './persons.ts';
import { CHECK_BYTES_MAX, checkBody, OPERATIONS } from './protocol.ts';
import { refusals } from './refusals.ts';

const { endpoint, call } = endpointsOf('vendor', 'G-51', refusals.VENDOR_KEY_INVALID);

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

/** How a start goes without a script: as its person says, whose first call may hide the outcome. */
function usualBegin(turn: Turn): Exchange {
  const { begin: way = 'honest', always = false } = treatmentNamed(turn.behaviour ?? '');
  return always ? exchangeOf(way) : hiddenOnce(exchangeOf(way), turn);
}

const beginCheck = call({
  id: 'vendorBegin',
  route: 'POST /v1/identity/checks/{key}',
  summary: 'Checks a person under the key, once; stores only a keyed digest of the data.',
  body: checkBody,
  bodyLimit: CHECK_BYTES_MAX,
  heavy: true,
  refusals: [refusals.CHECK_FORGOTTEN, refusals.CHECK_KEY_REUSED],
  run(services, { workspace, params: { key }, body, bodyDone }) {
    const { db, random, keys } = services;
    const today = new Date().toISOString().slice(0, 10);
    const treatment = treatmentFor(body.person, today);
    const digest = digestOf(keys, workspace, key, body);
    for (const { content } of body.files) if (typeof content !== 'string') content.take();
    // Silence lasts a minute, and others want their bodies parsed meanwhile.
    bodyDone?.();
    return play(services, 'vendor', {
      ...{ workspace, key, operation: 'begin', token: treatment.name },
      usual: usualBegin,
      effect(exchange) {
        const reference = `vrf_${random.uuid().replaceAll('-', '')}`;
        const request = noticeRequestOf(exchange, treatment.verdict !== 'pending');
        return begin(db, { workspace, key, digest, reference, treatment }, request);
      },
    });
  },
});

const calm = (): Exchange => exchangeOf('honest');

const lookUp = call({
  id: 'vendorLook',
  route: 'GET /v1/identity/checks/{key}',
  summary: 'Retrieves the decision under the key; `absent` if there is none.',
  run(services, { workspace, params: { key } }) {
    const effect = () => look(services.db, workspace, key);
    const asked = { workspace, key, operation: 'look', token: null };
    return play(services, 'vendor', { ...asked, usual: calm, effect });
  },
});

const forgetCheck = call({
  id: 'vendorForget',
  route: 'POST /v1/identity/checks/{key}/forget',
  summary: 'Deletes the check under the key permanently; the key cannot be used again.',
  run(services, { workspace, params: { key } }) {
    const effect = () => forget(services.db, workspace, key);
    const asked = { workspace, key, operation: 'forget', token: null };
    return play(services, 'vendor', { ...asked, usual: calm, effect });
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
  answer: z.object({}),
  async run({ db }, { workspace, body }) {
    const { operation, exchange, times = 1, person: token = '' } = body;
    await queueScript(db, 'vendor', workspace, [{ operation, exchange, times, token }]);
    return {};
  },
});

const event = outsideEvent({
  id: 'vendorOutsideEvent',
  path: 'v1/identity/outside-events',
  summary: 'Makes the vendor decide, or change its decision, and send a webhook.',
  events: IDENTITY_EVENTS,
  impossible: refusals.IDENTITY_EVENT_IMPOSSIBLE,
  happen,
});

/** Every endpoint of the vendor, in the order of the docs. */
export const operations = [
  beginCheck,
  lookUp,
  forgetCheck,
  endpoint(callCounts('vendor', 'vendorExchanges', 'identity/checks')),
  script,
  endpoint(event),
];

// What developers do by hand with deliveries: see how one is signed, and have a test event sent to
// one endpoint. A test is signed as a delivery, says that it is one, and is in no stream. [G-63]
import type { IdempotencyClaim } from '../../../core/operation.ts';
import { millisOf, type Instant } from '../../../core/time.ts';
import type { Services } from '../../context.ts';
import type { EventName } from '../../events.ts';
import { onlyOnce } from '../../idempotent/index.ts';
import { audit } from '../audit/index.ts';
import type { EndpointRow } from './endpoint.ts';
import { judge, type Outcome } from './outcome.ts';
import { storedEvent } from './read.ts';
import { enabledEndpoint } from './replay.ts';
import { secretsInUse } from './secret-rows.ts';
import { headersOf, type WebhookTokenSigner } from './sign.ts';
import { sql } from '../../../db/index.ts';

/** The bytes of a delivery, and the headers that go with them. */
export interface SignedDelivery {
  readonly body: string;
  /** Without the bearer token. */
  readonly headers: Readonly<Record<string, string>>;
}

type Endpoint = Pick<EndpointRow, 'workspace' | 'id'>;

/**
 * An event as it is sent to an endpoint, signed at `seconds` (real time since 1970) by the secrets
 * that are active now; null for an unknown or foreign event.
 */
export async function signedDelivery(
  services: Pick<Services, 'db' | 'keys' | 'stream'>,
  { workspace, id }: Endpoint,
  event_id: string,
  seconds: number,
): Promise<SignedDelivery | null> {
  const found = await storedEvent(services.db, workspace, event_id);
  if (found === null) return null;
  const [body = ''] = await services.stream.bodies([found]);
  const secrets = await secretsInUse(services.db, services, workspace, id);
  const copy = await copyOf(services.db, workspace);
  return { body, headers: headersOf({ event_id, body, seconds, secrets, copy }, null) };
}

/** The workspace's id where it is a clone, else null. */
async function copyOf(db: Pick<Services['db'], 'query'>, workspace: number) {
  const [row] = await db.query<{ id: string }>(sql`
    select id from workspace where workspace = ${workspace} and lineage <> workspace`);
  return row?.id ?? null;
}

/** A test event as it was sent, and what became of it. */
export interface TestSent extends SignedDelivery {
  readonly outcome: Outcome;
}

/** Milliseconds that a receiver has to answer a test: somebody waits for it. */
const TEST_TIMEOUT_MS = 10_000;

/** What sending a test needs. */
interface TestRequest {
  readonly name: EventName;
  readonly message: unknown;
  readonly actor: string;
  readonly claim: IdempotencyClaim;
  readonly signToken: WebhookTokenSigner;
}

/**
 * Sends one test event to an enabled endpoint, once for each claim and without a retry, with an
 * entry in the audit; null where the claim was used before. Its `sequence` is 0, which no event
 * has. Throws a Refusal for an endpoint that is unknown or disabled. [G-63]
 */
export async function sendTest(
  services: Pick<Services, 'db' | 'keys' | 'env' | 'random'> & {
    readonly outbound: NonNullable<Services['outbound']>;
  },
  { workspace, id }: Endpoint,
  { name, message, actor, claim, signToken }: TestRequest,
): Promise<TestSent | null> {
  const { db, env } = services;
  const event_id = services.random.uuid();
  const sent = await onlyOnce(db, workspace, claim, async (tx) => {
    const { url } = await enabledEndpoint(tx, workspace, id);
    const [now] = await tx.query<{ at: Instant; shown: Instant }>(sql`
      select $now as at, workspace_at(${workspace}, $now) as shown`);
    const detail = { event: event_id, name };
    await audit(tx, { workspace, actor, act: 'test_event_sent', subject: id, detail });
    return { url, seconds: Math.floor(millisOf(now?.at ?? '') / 1000), sent_at: now?.shown };
  });
  if (sent === null) return null;
  const { url, seconds, sent_at } = sent;
  const head = { event_id, event_name: name, bucket_key: env, sent_at, sequence: 0 };
  const body = JSON.stringify({ ...head, resource_version: 0, test: true, message });
  const [secrets, copy, token] = await Promise.all([
    secretsInUse(db, services, workspace, id),
    copyOf(db, workspace),
    signToken(id),
  ]);
  const attempt = { event_id, body, seconds, secrets, copy };
  const post = { url, headers: headersOf(attempt, token), body, timeoutMs: TEST_TIMEOUT_MS };
  const outcome = judge(await services.outbound.post(post), 1, [], 0, 0);
  return { body, headers: headersOf(attempt, null), outcome };
}

// Runs a change of this module once per Idempotency-Key, in the same transaction as its claim.
// Answers for the same answer to the same request, a secret included while it lives: the kept
// answer holds no secret, only the number under which it lies sealed. [G-44]
import type { Transaction } from '../../db/index.ts';
import { engineRefusals } from '../../engine/index.ts';
import type { Answer, IdempotencyClaim } from '../../kernel/operation.ts';
import { refuse } from '../../kernel/refusal.ts';
import { secretByNumber } from './endpoint.ts';
import type { WebhookServices } from './services.ts';

/** What a change answers; `secret` names the sealed secret that belongs into the payload. */
export interface Changed {
  readonly status: number;
  /** Without the secret; null for no body. */
  readonly payload: object | null;
  readonly secret?: { readonly endpoint_id: string; readonly number: number };
}

interface Kept {
  readonly fingerprint: string;
  readonly status: number;
  readonly record_id: string | null;
  readonly record_version: number | null;
  readonly answer: string | null;
}

/** What `once` needs. */
export type OnceServices = Pick<WebhookServices, 'db' | 'keys' | 'entropy'>;

/** Does `work` in a transaction, or gives the answer that it gave before for this key. */
export async function once(
  services: OnceServices,
  world: number,
  claim: IdempotencyClaim | null,
  work: (tx: Transaction) => Promise<Changed>,
): Promise<Answer> {
  return services.db.transaction(async (tx) => {
    if (claim === null) return answerOf(tx, services, world, await work(tx));
    const kept = await claimOrKept(tx, world, claim);
    if (kept !== null) return answerOf(tx, services, world, kept);
    const changed = await work(tx);
    await tx.execute({
      text: `update idempotency set status = $3, record = $4, record_id = $5, record_version = $6,
        answer = $7 where world = $1 and scope = $2`,
      values: [
        world,
        claim.scope,
        changed.status,
        changed.secret === undefined ? null : 'webhook_secret',
        changed.secret?.endpoint_id ?? null,
        changed.secret?.number ?? null,
        JSON.stringify(changed.payload),
      ],
    });
    return answerOf(tx, services, world, changed);
  });
}

/**
 * Claims the key; a duplicate waits here for the first one to end. Refuses another request's key.
 */
async function claimOrKept(
  tx: Transaction,
  world: number,
  claim: IdempotencyClaim,
): Promise<Changed | null> {
  const claimed = await tx.execute({
    text: `insert into idempotency (world, scope, fingerprint, status) values ($1, $2, $3, 0)
      on conflict do nothing`,
    values: [world, claim.scope, claim.fingerprint],
  });
  if (claimed === 1) return null;
  const [row] = await tx.query<Kept>({
    text: `select fingerprint, status, record_id, record_version, answer from idempotency
      where world = $1 and scope = $2`,
    values: [world, claim.scope],
  });
  if (row === undefined || row.fingerprint !== claim.fingerprint) {
    throw refuse(engineRefusals.IDEMPOTENCY_KEY_REUSED);
  }
  const payload = JSON.parse(row.answer ?? 'null') as object | null;
  if (row.record_id === null) return { status: row.status, payload };
  const secret = { endpoint_id: row.record_id, number: row.record_version ?? 0 };
  return { status: row.status, payload, secret };
}

async function answerOf(
  tx: Transaction,
  services: OnceServices,
  world: number,
  changed: Changed,
): Promise<Answer> {
  if (changed.payload === null) return { status: changed.status };
  if (changed.secret === undefined) return { status: changed.status, payload: changed.payload };
  const { endpoint_id: id, number } = changed.secret;
  const secret = (await secretByNumber(tx, services, world, id, number)) ?? '';
  // A private key of v1a stays here; its receiver was given the public one.
  const shown = secret.startsWith('whsec_') ? secret : '';
  return { status: changed.status, payload: { ...changed.payload, secret: shown } };
}

// Runs a change of endpoints once for each Idempotency-Key. A stored answer never holds a signing
// secret, only the number under which the secret is sealed. [G-44]
import type { Transaction } from '../../../db/index.ts';
import type { Answer, IdempotencyClaim } from '../../../core/operation.ts';
import { once as claimed } from '../../idempotent/index.ts';
import type { Changed as Kept } from '../../idempotent/index.ts';
import { secretByNumber } from './endpoint.ts';
import type { WebhookServices } from './services.ts';

/** The answer of a change; `secret` names the sealed secret that belongs into the payload. */
export interface Changed {
  readonly status: number;
  /** Without the secret; null for no body. */
  readonly payload: object | null;
  readonly secret?: { readonly endpoint_id: string; readonly number: number };
}

export type OnceServices = Pick<WebhookServices, 'db' | 'keys' | 'random'>;

/** Runs `work` in a transaction, or repeats the stored answer of this key. */
export function once(
  services: OnceServices,
  workspace: number,
  claim: IdempotencyClaim | null,
  work: (tx: Transaction) => Promise<Changed>,
): Promise<Answer> {
  const change = async (tx: Transaction): Promise<Kept> => {
    const { status, payload, secret } = await work(tx);
    if (secret === undefined) return { status, payload };
    const { endpoint_id: id, number: version } = secret;
    return { status, payload, record: { kind: 'webhook_secret', id, version } };
  };
  return claimed(services.db, workspace, claim, change, (tx, kept) =>
    answerOf(tx, services, workspace, kept),
  );
}

async function answerOf(
  tx: Transaction,
  services: OnceServices,
  workspace: number,
  { status, payload, record }: Kept,
): Promise<Answer> {
  if (payload === null) return { status };
  if (record === undefined) return { status, payload };
  const secret = (await secretByNumber(tx, services, workspace, record.id, record.version)) ?? '';
  // The private key of v1a is never shown; its receiver got the public one.
  const shown = secret.startsWith('whsec_') ? secret : '';
  return { status, payload: { ...payload, secret: shown } };
}

// Stored answers with secrets: each secret is sealed in a row of its own until it expires.
// Afterwards the same request gets the same answer without it. [G-44]
import type { Database, Queryable, Transaction } from '../../db/index.ts';
import { secretPlace, type Place } from '../../core/labels.ts';
import type { Random } from '../../core/random.ts';
import type { Answer, IdempotencyClaim } from '../../core/operation.ts';
import { open, seal } from '../../core/sealing.ts';
import type { WrappedColumn } from '../../providers/keys/versions.ts';
import type { Keys } from '../../providers/keys/port.ts';
import { once, type Changed } from './idempotent.ts';

/** A text of an answer that is never stored in clear text. */
export interface Secret {
  /** Its path in the payload, such as `token.access_token`; the payload has that field. */
  readonly place: string;
  readonly text: string;
  /** Seconds from now until it expires. */
  readonly seconds: number;
}

/** The answer of a change with secrets. */
export interface SecretAnswer {
  readonly status: number;
  /** With '' in place of each secret. */
  readonly payload: object;
  readonly secrets: readonly Secret[];
}

/** What sealing needs. */
export interface OnceServices {
  readonly db: Pick<Database, 'transaction'>;
  readonly keys: Keys;
  readonly random: Random;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;

/** As `once`, for answers with secrets. An expired secret is ''. */
export function onceSealed(
  services: OnceServices,
  workspace: number,
  claim: IdempotencyClaim | null,
  work: (tx: Transaction) => Promise<SecretAnswer>,
): Promise<Answer> {
  let fresh: readonly Secret[] | null = null;
  const change = async (tx: Transaction): Promise<Changed> => {
    const { status, payload, secrets } = await work(tx);
    fresh = secrets;
    if (claim !== null) {
      for (const one of secrets) await sealOne(tx, services, workspace, claim.scope, one);
    }
    return { status, payload };
  };
  return once(services.db, workspace, claim, change, async (tx, { status, payload }) => {
    const secrets = fresh ?? (await openAll(tx, services, workspace, claim?.scope ?? ''));
    return { status, payload: filled(payload ?? {}, secrets) };
  });
}

/** `lineage`: of the workspace, so that a clone gives the same answers. */
function bindingOf(lineage: number, scope: string, place: string): Place {
  return secretPlace('answerSecret', lineage, scope, place);
}

/** Where the keys of stored secrets are. */
export const wrappedSecretKeys: WrappedColumn = {
  table: 'kept_secret',
  key: ['workspace', 'scope', 'place'],
  column: 'wrapped_key',
  context: ({ lineage, scope = '', place = '' }) => bindingOf(Number(lineage), scope, place),
};

async function sealOne(
  tx: Transaction,
  { keys, random }: OnceServices,
  workspace: number,
  scope: string,
  { place, text, seconds }: Secret,
): Promise<void> {
  const binding = bindingOf(keys.lineageOf(workspace), scope, place);
  const key = random.bytes(KEY_BYTES);
  const sealed = seal(key, random.bytes(NONCE_BYTES), text, binding);
  // Replaces an expired row of a key that became free again.
  await tx.execute({
    text: `insert into kept_secret (workspace, scope, place, wrapped_key, sealed, expires)
      values ($1, $2, $3, $4, $5, $now + make_interval(secs => $6))
      on conflict (workspace, scope, place) do update set wrapped_key = excluded.wrapped_key,
        sealed = excluded.sealed, expires = excluded.expires`,
    values: [workspace, scope, place, await keys.wrap(key, binding), sealed, seconds],
  });
}

interface SealedRow {
  readonly place: string;
  readonly wrapped_key: string;
  readonly sealed: string;
}

async function openAll(
  db: Queryable,
  { keys }: OnceServices,
  workspace: number,
  scope: string,
): Promise<Pick<Secret, 'place' | 'text'>[]> {
  const rows = await db.query<SealedRow>({
    text: `select place, wrapped_key, sealed from kept_secret
      where workspace = $1 and scope = $2 and expires > clock_timestamp()`,
    values: [workspace, scope],
  });
  return Promise.all(
    rows.map(async ({ place, wrapped_key, sealed }) => {
      const binding = bindingOf(keys.lineageOf(workspace), scope, place);
      return { place, text: open(await keys.unwrap(wrapped_key, binding), sealed, binding) };
    }),
  );
}

/** The payload with its secrets filled in. */
function filled(payload: object, secrets: readonly Pick<Secret, 'place' | 'text'>[]): object {
  const copy = structuredClone(payload);
  for (const { place, text } of secrets) {
    const names = place.split('.');
    const last = names.pop() ?? '';
    let holder = copy as Record<string, unknown>;
    for (const name of names) holder = holder[name] as Record<string, unknown>;
    holder[last] = text;
  }
  return copy;
}

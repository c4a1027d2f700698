// A secret that works only once a second person has confirmed it: of a client that may do what its
// maker's role may not. Until then the row has its keyed hash aside, and nothing accepts it.
import type { Instant } from '../../../core/time.ts';
import { sql, type Queryable, type Transaction } from '../../../db/index.ts';
import { audit } from '../../tell/audit/index.ts';
import {
  addClient,
  freshSecret,
  OPERATOR,
  secretHash,
  type ClientCredentials,
  type NewClient,
  type Store,
} from './clients.ts';
import type { Scope } from './scopes.ts';

type Parts = Pick<Store, 'keys' | 'random'>;

/** What a developer does at the console anyway. Whatever is not here reaches further. [G-04] */
const OF_DEVELOPERS: readonly Scope[] = [
  ...(['read_events', 'read_invoices', 'read_invoice', 'read_wallets'] as const),
  ...(['read_process_credits', 'write_webhooks', 'write_settings'] as const),
];

/** The scopes that a developer gives to nobody alone: they move money, or show or change people. */
export function beyondDevelopers(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !OF_DEVELOPERS.some((one) => one === scope));
}

/** Creates a client whose secret waits; nobody has one that works. */
export async function proposeClient(
  tx: Transaction,
  parts: Parts,
  client: NewClient,
  operatorId: string,
): Promise<ClientCredentials> {
  const { client_id } = await addClient(tx, parts, client, actorOf(operatorId));
  return proposeSecret(tx, parts, client_id, null, operatorId);
}

/**
 * Gives a client a new secret that waits, in place of another that does; those of now stay as they
 * are. `overlapSeconds`: as of a rotation; null for a new client.
 */
export async function proposeSecret(
  tx: Transaction,
  parts: Parts,
  clientId: string,
  overlapSeconds: number | null,
  operatorId: string,
): Promise<ClientCredentials> {
  const secret = freshSecret(parts);
  const [row] = await tx.query<{ workspace: number; pending_overlap: number | null }>(sql`
    update client set pending_secret_hash = ${secretHash(parts, clientId, secret)},
      pending_by = ${operatorId}, pending_since = $now,
      pending_overlap = case
        when pending_since is not null and pending_overlap is null then null
        else ${overlapSeconds}::integer end
    where client_id = ${clientId} returning workspace`);
  if (row === undefined) throw new Error('the client to be changed does not exist');
  const entry = { workspace: row.workspace, actor: actorOf(operatorId), subject: clientId };
  await audit(tx, { ...entry, act: 'client_proposed' });
  return { client_id: clientId, client_secret: secret };
}

/** A client whose secret waits. */
export interface PendingClient {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly isNew: boolean;
  /** The operator who made it. */
  readonly by: string;
  readonly since: Instant;
  /** Names this very secret, so that a decision is about the one that was shown. */
  readonly seen: string;
}

/** The clients of a workspace whose secret waits, oldest first. */
export function pendingClients(db: Queryable, workspace: number): Promise<PendingClient[]> {
  return db.query(sql`select client_id as id, name, scopes, pending_overlap is null as "isNew",
      pending_by as by, pending_since as since, pending_since::text as seen
    from client where workspace = ${workspace} and pending_since is not null
    order by pending_since, client_id limit 100`);
}

/** Confirms a secret, which works from now on, or rejects it; false where it waits no more. */
export async function decidePending(
  tx: Transaction,
  workspace: number,
  { id, seen, isNew }: Pick<PendingClient, 'id' | 'seen' | 'isNew'>,
  confirms: boolean,
  operatorId: string,
): Promise<boolean> {
  const takes = `secret_hash = pending_secret_hash,
    previous_secret_hash = case when pending_overlap > 0 then secret_hash end,
    previous_until = case when pending_overlap > 0
      then $now + make_interval(secs => pending_overlap) end,`;
  const changed = await tx.execute({
    text: `update client set ${confirms ? takes : ''} disabled = disabled or $4,
        pending_secret_hash = null, pending_by = null, pending_since = null, pending_overlap = null
      where workspace = $1 and client_id = $2 and pending_since::text = $3`,
    values: [workspace, id, seen, !confirms && isNew],
  });
  if (changed === 0) return false;
  const act = confirms ? 'client_confirmed' : 'client_rejected';
  await audit(tx, { workspace, actor: actorOf(operatorId), act, subject: id });
  return true;
}

const actorOf = (operatorId: string): string => `${OPERATOR}:${operatorId}`;

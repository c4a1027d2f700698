// What the habits of scale hold for, and the few places that do otherwise, each with its reason:
// docs/decisions/0032-habits-of-scale.md.

/** Beginnings of statements that read every step of a tenant, since they are about all of it. */
export const WHOLE_HISTORIES: Readonly<Record<string, string>> = {
  'with w as materialized (select clock_timestamp() as taken': 'keeps all of a sandbox',
  'select m.kind, m.currency, m.resource, m.event, count(*)':
    'sums all that was ever booked, with a limit of its own; of one account, its entries alone',
};

/** Beginnings of statements that read rows of no named tenant. */
export const ALL_TENANTS: Readonly<Record<string, string>> = {
  'update statement_cursor set lease = $1':
    'a tenant has one row: the index by time leads to the few that are due',
  'select distinct workspace, account_id from integrator_credit':
    'names the tenants of what waits, and each is then folded by itself',
  'select q.workspace, w.lineage, q.currency from':
    'names the tenants of what waits, by partial indexes, and each is then funded by itself',
  'select c.workspace, w.integrator, c.kind, c.id, c.provider':
    'a webhook of a provider names its connection before a tenant is known',
  'select distinct resource_id from step where workspace + 0':
    'a Bloom filter for each range of pages finds rows, and each is then asked for its tenant',
  'select sequence from event where workspace + 0': 'the same',
  'delete from match_uncount where (workspace, id) in':
    'takes at most a hundred from a queue, and takes each off the counts of its own tenant',
  'select m.workspace, m.id as account from match_person m':
    'names whom an earlier release stored, by a partial index, and each is counted by itself',
  'update attempt_job set lease = null': 'once, when a sandbox starts alone on its database',
  'update transfer_job set lease = null': 'the same',
  'update dispute_answer_job set lease = null': 'the same',
  'update identity_job set lease = null': 'the same',
  'update payee_job set lease = null': 'the same',
  'update statement_cursor set lease = null': 'the same',
  'update delivery set lease = null, due =': 'the same',
  'update mail set lease = null, due =': 'the same',
  'delete from kept_secret where': 'ends by its age, whoever it is of',
  'delete from identity_notice_seen where': 'the same',
  'delete from dispute_content c where': 'the same',
  'delete from entity_document where': 'the same',
  'delete from kyc_document d where': 'the same',
  'delete from review_view where': 'the same; and the address of a picture names no tenant',
};

/** Beginnings of updates and deletions that ask a clock themselves. */
export const OWN_CLOCK: Readonly<Record<string, string>> = {
  'with beat as (update heartbeat set at':
    'its row is the sign of life of the clock; the tables are of no tenant',
  'with given as (select':
    'restores a snapshot of a sandbox, all of it at the moment its transaction began',
};

/** Foreign keys by which a global directory refers to a tenant. */
export const DIRECTORY_KEYS: Readonly<Record<string, string>> = {
  client_workspace_fkey: 'a client says for which workspace it speaks, which stays its only tie',
  snapshot_lineage_fkey: 'of a sandbox, which is never moved',
};

/** Triggers of tenants' tables that write into global directories. */
export const DIRECTORY_WRITERS: Readonly<Record<string, string>> = {
  account_block_ends_access: 'access ends in the transaction that blocks the account',
  consent_ends_access: 'access ends in the transaction that revokes the consent',
};

/** True for SQL that changes or deletes rows. */
export function changes(text: string): boolean {
  return /\bupdate \S+(?:\s+(?:as\s+)?\w+)?\s+set\b|\bdelete from\b|\bupdate\s+set\b/.test(text);
}

/** True for SQL that reads a clock of the database. */
export function asksClock(text: string): boolean {
  return CLOCKS.test(text);
}

const CLOCKS = /\b(?:(?:clock|statement|transaction)_timestamp|(?:workspace_)?now)\(|\bcurrent_t/;

/** True for a statement, in single spaces, that begins as one of the rows. */
export function isExcused(text: string, rows: Readonly<Record<string, string>>): boolean {
  return Object.keys(rows).some((start) => text.startsWith(start));
}

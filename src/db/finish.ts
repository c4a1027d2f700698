// The end of an upgrade. Nodes of 0.2 may serve beside ours, so until somebody ends it the database
// stores what they can read, whoever writes; from then on it takes the new forms as they are sent,
// and no node of 0.2 is let in.
import { sqlState } from './errors.ts';
import { HEARTBEAT } from './heartbeat.ts';
import type { Queryable, Transaction } from './statement.ts';

/** A form that waits for the end, with the trigger that stores the form before it until then. */
interface Form {
  /** Of its migration. */
  readonly name: string;
  readonly trigger?: string;
  readonly tables?: readonly string[];
  /** Statements beside it. */
  readonly more?: string;
  readonly indexes?: readonly Index[];
}

/** An index by hashes that takes the place of the one with its name. */
interface Index {
  readonly name: string;
  readonly unique?: true;
  readonly on: string;
}

const FORMS: readonly Form[] = [
  { name: '0054_packed_terms.sql', trigger: 'invoice_document_form', tables: ['invoice_document'] },
  { name: '0060_short_steps.sql', trigger: 'step_form', tables: ['step'] },
  {
    name: '0066_short_answers.sql',
    trigger: 'idempotency_form',
    tables: ['idempotency', 'idempotency_past'],
    more: `create or replace function kept_print() returns int language sql stable as 'select 14';
      select hash_keys('idempotency'), hash_keys('idempotency_past')`,
  },
  {
    name: '0067_hashed_accounts.sql',
    // With at most 16 bytes of columns PostgreSQL fills the pages where each account goes on.
    indexes: [
      {
        name: 'posting_chain',
        unique: true,
        on: `posting (uuid_hash_extended(account_id, 0), workspace, account_version)
          where account_version is not null`,
      },
      { name: 'invoice_account', on: 'invoice (workspace, uuid_hash(account_id), id)' },
    ],
  },
];

/** Said at a start and by `holdfast check`, while an upgrade is not finished. */
export const UNFINISHED =
  'the upgrade is not finished: run `holdfast migrate --finish` when every node runs this release';

/** The forms that are not written yet. The schema's own record says so. */
async function openForms(db: Queryable): Promise<readonly Form[]> {
  const text = 'select name from migration where name = any($1) and needs is not null';
  const names = FORMS.map(({ name }) => name);
  const written = await db.query<{ name: string }>({ text, values: [names] });
  return FORMS.filter(({ name }) => !written.some((one) => one.name === name));
}

/** Whether the new forms are written. */
export async function isFinished(db: Queryable): Promise<boolean> {
  return (await openForms(db)).length === 0;
}

/** How new indexes are built: beside sales, or while they wait. */
export type Building = 'concurrently' | '';

/** From the commits on, all that is sent in a new form stays in it. */
export async function writeNewForms(tx: Transaction, building: Building = ''): Promise<void> {
  // One form, and one index, at a time: whoever writes to two tables would be met by locks in
  // another order.
  for (const form of await openForms(tx)) {
    for (const index of form.indexes ?? []) await replaceIndex(tx, index, building);
    await writeNewForm(tx, form);
  }
}

/** Runs statements at once. Who writes waits for this moment, and it for who reads everything. */
async function atOnce(
  tx: Transaction,
  statements: readonly Parameters<Transaction['execute']>[0][],
): Promise<void> {
  await tx.execute('begin');
  try {
    await tx.execute("set local lock_timeout = '2s'");
    for (const statement of statements) await tx.execute(statement);
    await tx.execute('commit');
  } catch (error) {
    await tx.execute('rollback');
    throw error;
  }
}

async function writeNewForm(
  tx: Transaction,
  { name, trigger, tables = [], more }: Form,
): Promise<void> {
  await atOnce(tx, [
    ...tables.map((table) => `drop trigger if exists ${trigger} on ${table}`),
    ...(more === undefined ? [] : [more]),
    { text: 'update migration set needs = left(name, 4) where name = $1', values: [name] },
  ]);
}

/** Builds an index under another name, then puts it in the old one's place. */
async function replaceIndex(
  tx: Transaction,
  { name, unique, on }: Index,
  building: Building,
): Promise<void> {
  const text = 'select from pg_index where indexrelid = to_regclass($1) and indexprs is null';
  if ((await tx.query({ text, values: [name] })).length === 0) return;
  const next = `${name}_next`;
  // What a build that failed has left.
  await atOnce(tx, [`drop index if exists ${next}`]);
  // A concurrent build waits for who was reading when it began, as long as a report may take.
  await tx.execute("set lock_timeout = '60s'");
  try {
    await tx.execute(`create ${unique ? 'unique ' : ''}index ${building} ${next} on ${on}`);
  } finally {
    await tx.execute('reset lock_timeout');
  }
  await atOnce(tx, [`drop index ${name}`, `alter index ${next} rename to ${name}`]);
}

/**
 * Finishes the upgrade as the owner of the tables, once no node of 0.2 is connected. Gives null, or
 * a sentence that says what is in the way. `concurrently` is not for who holds a lock that another
 * start waits for: PostgreSQL would wait for that one.
 */
export async function finishUpgrade(
  tx: Transaction,
  building: Building = '',
): Promise<string | null> {
  if (await isFinished(tx)) return null;
  const [row] = await tx.query<{ old: number }>({
    text: `select count(*)::int as old from pg_stat_activity where datname = current_database()
      and application_name like 'holdfast heartbeat%' and application_name <> $1`,
    values: [HEARTBEAT],
  });
  const old = row?.old ?? 0;
  if (old > 0) return `${old} of the nodes run an older release: replace them first.`;
  try {
    await writeNewForms(tx, building);
    return null;
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error;
    return 'Something reads all sales, such as a dump or a report: try again when it has ended.';
  }
}

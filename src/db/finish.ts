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
  readonly trigger: string;
  readonly tables: readonly string[];
  /** Statements beside it. */
  readonly more?: string;
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
];

/** Said at a start and by `holdfast check`, while an upgrade is not finished. */
export const UNFINISHED =
  'the upgrade is not finished: run `holdfast migrate --finish` when every node runs this release';

/** Whether the new forms are written. The schema's own record says so. */
export async function isFinished(db: Queryable): Promise<boolean> {
  const text = 'select from migration where name = any($1) and needs is not null';
  const names = FORMS.map(({ name }) => name);
  return (await db.query({ text, values: [names] })).length === FORMS.length;
}

/** From the commits on, all that is sent in a new form stays in it. */
export async function writeNewForms(tx: Transaction): Promise<void> {
  // One form at a time: whoever writes to two tables would be met by locks in another order.
  for (const form of FORMS) await writeNewForm(tx, form);
}

async function writeNewForm(
  tx: Transaction,
  { name, trigger, tables, more }: Form,
): Promise<void> {
  await tx.execute('begin');
  try {
    // Whoever writes waits for this moment, and it for those who read everything.
    await tx.execute("set local lock_timeout = '2s'");
    for (const table of tables) await tx.execute(`drop trigger if exists ${trigger} on ${table}`);
    if (more !== undefined) await tx.execute(more);
    await tx.execute({
      text: 'update migration set needs = left(name, 4) where name = $1',
      values: [name],
    });
    await tx.execute('commit');
  } catch (error) {
    await tx.execute('rollback');
    throw error;
  }
}

/**
 * Finishes the upgrade as the owner of the tables, once no node of 0.2 is connected. Gives null, or
 * a sentence that says what is in the way.
 */
export async function finishUpgrade(tx: Transaction): Promise<string | null> {
  if (await isFinished(tx)) return null;
  const [row] = await tx.query<{ old: number }>({
    text: `select count(*)::int as old from pg_stat_activity where datname = current_database()
      and application_name like 'holdfast heartbeat%' and application_name <> $1`,
    values: [HEARTBEAT],
  });
  const old = row?.old ?? 0;
  if (old > 0) return `${old} of the nodes run an older release: replace them first.`;
  try {
    await writeNewForms(tx);
    return null;
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error;
    return 'Something reads all sales, such as a dump or a report: try again when it has ended.';
  }
}

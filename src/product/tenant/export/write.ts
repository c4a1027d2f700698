// Writes the books and the audit chain of a tenant as lines, in one snapshot and a piece at a time:
// memory does not grow with the tenant. The last line has the digest of all before it, signed.
import { createHash } from 'node:crypto';
import { sql, type Database, type Queryable, type Transaction } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import { inChain } from '../../../core/by-account.ts';
import { readSealed, signExport } from '../../tell/audit/index.ts';
import { exportBytes, FORMAT } from './lines.ts';

type Store = Parameters<typeof signExport>[0] & { readonly db: Database };

/** What is exported. */
export interface Exported {
  readonly integrator: string;
  readonly workspace: number;
}

/** Rows, and blocks, that are read at a time. */
const [ROWS, BLOCKS] = [2_000, 16];
/** Rows come in the order of their keys, and their parts by keys: nothing is sorted or hashed. */
const PLAN = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'sort'];
const SNAPSHOT = 'begin isolation level repeatable read read only';

/** SQL of the sections, each a column of text in its order; $1 is the workspace. */
const SECTIONS = [
  `select json_build_array('account', a.id, a.kind, a.currency)::text as line
    from ledger_account a where a.workspace = $1
      and a.kind not in ('wallet', 'kept_back') order by a.id`,
  `select json_build_array('step', s.resource_id, s.version::text, s.machine, s.from_state, s.event,
      s.to_state, s.at, coalesce((select json_agg(json_build_array(p.account_id, p.currency,
        p.amount::text, coalesce(p.account_version::text, ''),
        coalesce(p.balance_after::text, '')) order by p.line)
      from posting p where p.workspace = s.workspace and p.resource_id = s.resource_id
        and p.version = s.version), '[]'))::text as line
    from history s where s.workspace = $1 order by s.resource_id, s.version`,
  `select c.line from balance b
    join ledger_account a on a.workspace = b.workspace and a.id = b.id
    cross join lateral (
      select 0 as n, json_build_array('balance', b.id, a.kind, a.currency, b.amount::text,
        b.version::text)::text as line
      union all select p.account_version, json_build_array('chain', p.resource_id,
        p.version::text, p.amount::text, p.account_version::text, p.balance_after::text)::text
      from posting p where p.workspace = b.workspace and ${inChain('p', 'b.id')}) c
    where b.workspace = $1 and a.workspace = $1 order by b.id, c.n`,
];

/**
 * Sends the export of a tenant to `send`, in pieces of whole lines; gives its digest and the public
 * key that proves it.
 */
export async function exportTenant(
  store: Store,
  { integrator, workspace }: Exported,
  send: (text: string) => Promise<void>,
): Promise<{ readonly digest: string; readonly key: string }> {
  const hash = createHash('sha256');
  const line = async (...rows: readonly string[]): Promise<void> => {
    if (rows.length === 0) return;
    const text = `${rows.join('\n')}\n`;
    hash.update(text);
    await send(text);
  };
  await store.db.transaction(async (tx) => {
    for (const kind of PLAN) await tx.execute(`set local enable_${kind} = off`);
    await line(await headOf(tx, { integrator, workspace }));
    for (const text of SECTIONS) await section(tx, text, workspace, line);
    await blocks(tx, workspace, line);
  }, SNAPSHOT);
  const digest = hash.digest('hex');
  const { key, signature } = await signExport(store, exportBytes(integrator, digest));
  await send(`${JSON.stringify(['end', digest, key, signature.toString('base64url')])}\n`);
  return { digest, key };
}

/** Whose export it is, when it was made, and the public keys that signed the tenant's audit. */
async function headOf(tx: Queryable, { integrator, workspace }: Exported): Promise<string> {
  const [head] = await tx.query<{ at: Instant; keys: readonly string[] }>(sql`select now() as at,
    array(select distinct key from audit_block where workspace = ${workspace} order by 1) as keys`);
  return JSON.stringify([FORMAT, integrator, String(workspace), head?.at, head?.keys ?? []]);
}

async function section(
  tx: Transaction,
  text: string,
  workspace: number,
  line: (...rows: readonly string[]) => Promise<void>,
): Promise<void> {
  await tx.query({ text: `declare exported no scroll cursor for ${text}`, values: [workspace] });
  for (;;) {
    const rows = await tx.query<{ line: string }>(`fetch ${ROWS} from exported`);
    await line(...rows.map((row) => row.line));
    if (rows.length < ROWS) break;
  }
  await tx.execute('close exported');
}

async function blocks(
  tx: Queryable,
  workspace: number,
  line: (...rows: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let after = 0n; ; ) {
    const page = await readSealed(tx, workspace, after, BLOCKS);
    const rows = page.map(({ texts, previous, hash, signature, ...block }) => {
      const { number, at, lines, first_event, last_event, key } = block;
      const bytes = [previous.toString('hex'), hash.toString('hex'), signature.toString('hex')];
      const fields = [number, at, lines, first_event, last_event, key].map(String);
      return JSON.stringify(['block', [...fields, ...bytes], texts]);
    });
    await line(...rows);
    after = page.at(-1)?.number ?? after;
    if (page.length < BLOCKS) return;
  }
}

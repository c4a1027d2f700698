// What a database is made of, one line for each thing, so that two databases can be compared. The
// order of columns counts; the order of everything else and comments within functions do not.
import type { Queryable } from '../../src/db/index.ts';

const OURS = `(select oid from pg_namespace where nspname = 'public')`;

/** Each gives lines. */
const QUERIES: readonly string[] = [
  `select concat_ws(' ', 'table', relname, relkind, relpersistence, reloptions, relacl) as line
  from pg_class where relnamespace = ${OURS} and relkind in ('r', 'v', 'm')`,
  `select concat_ws(' ', 'column', c.relname,
    row_number() over (partition by c.oid order by a.attnum), a.attname,
    format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
    'default ' || pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated, a.attstorage,
    o.collname, a.attoptions) as line
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_collation o on o.oid = a.attcollation
  where c.relnamespace = ${OURS} and c.relkind in ('r', 'v', 'm')`,
  `select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
    as line
  from pg_constraint where connamespace = ${OURS} and conrelid <> 0 and contype <> 't'`,
  `select concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid), i.indisvalid) as line
  from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = ${OURS}`,
  `select 'function ' || regexp_replace(pg_get_functiondef(oid), '--[^\n]*', '', 'g') as line
  from pg_proc where pronamespace = ${OURS}`,
  `select concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid), t.tgenabled) as line
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = ${OURS} and not t.tgisinternal`,
  `select concat_ws(' ', 'sequence', seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement,
    seqmin, seqmax, seqcache, seqcycle) as line from pg_sequence`,
  `select concat_ws(' ', 'type', typname) as line from pg_type
  where typnamespace = ${OURS} and typtype in ('e', 'd')`,
  `select concat_ws(' ', 'statistics', pg_get_statisticsobjdef(oid)) as line
  from pg_statistic_ext`,
  `select concat_ws(' ', 'comment', c.relname, d.objsubid, d.description) as line
  from pg_description d join pg_class c on c.oid = d.objoid where c.relnamespace = ${OURS}`,
];

/** The lines of a database without those of snapshot storage, which a start makes. */
export async function catalogueOf(db: Queryable): Promise<string[]> {
  const lines: string[] = [];
  for (const query of QUERIES) {
    for (const { line } of await db.query<{ line: string }>(query)) lines.push(line);
  }
  return lines.filter((line) => !/\bstored_/.test(line)).toSorted();
}

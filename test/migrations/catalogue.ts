// What a database is made of, one line for each thing, so that two databases can be compared. The
// order of columns counts; the order of everything else and comments within functions do not.
import type { Database } from '../../src/db/index.ts';

const LINES = `
  select 'table ' || c.relname || ' ' || c.relkind::text || c.relpersistence::text || ' '
    || coalesce(c.reloptions::text, '') || coalesce(c.relacl::text, '') as line
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'S')
  union all
  select 'column ' || c.relname || ' ' || row_number() over (partition by c.oid order by a.attnum)
    || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attnotnull then ' not null' else '' end
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
    || ' ' || a.attidentity::text || a.attgenerated::text || a.attstorage::text
    || ' ' || coalesce(o.collname, '') || coalesce(a.attoptions::text, '')
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_collation o on o.oid = a.attcollation
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm')
  union all
  select 'constraint ' || n.conrelid::regclass || ' ' || n.conname || ' ' || pg_get_constraintdef(n.oid)
  from pg_constraint n where n.connamespace = 'public'::regnamespace and n.conrelid <> 0
    and n.contype <> 't'
  union all
  select 'index ' || pg_get_indexdef(i.indexrelid) || case when i.indisvalid then '' else ' invalid' end
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace
  union all
  select 'function ' || regexp_replace(pg_get_functiondef(p.oid), '--[^\\n]*', '', 'g')
  from pg_proc p where p.pronamespace = 'public'::regnamespace
  union all
  select 'trigger ' || pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
  union all
  select 'sequence ' || s.seqrelid::regclass || ' ' || format_type(s.seqtypid, null) || ' '
    || concat_ws(' ', s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle)
  from pg_sequence s
  union all
  select 'type ' || t.typname from pg_type t
  where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd')
  union all
  select 'statistics ' || pg_get_statisticsobjdef(e.oid) from pg_statistic_ext e
  union all
  select 'comment ' || d.objoid || ' ' || d.description from pg_description d
  join pg_class c on c.oid = d.objoid where c.relnamespace = 'public'::regnamespace`;

/** The lines of a database, sorted. */
export async function catalogueOf(db: Database): Promise<string[]> {
  const rows = await db.query<{ line: string }>(LINES);
  return rows.map(({ line }) => line).toSorted();
}

// `npm run bench -- --grown`: the same sales on a database of ten thousand and on one of `--stored`
// sales, in turns; then what their indexes look like, what a sale reads, and what it leaves behind.
import { fill } from './fill.ts';
import { compare, openSide, prove, ratioLines, type Measure, type Side } from './paired.ts';
import { settledInvoices } from './proofs.ts';
import { closeSite, loadOnce, type Run } from './site.ts';

/** Sales of the small database. */
const BASE = 10_000;
/** Bytes of a sale below which a relation is not listed. */
const LISTED = 0.5;
/** Seconds of load after a checkpoint, in which each page that changes is logged whole. */
const SETTLING = 10;
/** Entries of an inner page, where nothing tells the depth of an index. */
const FAN_OUT = 150;
/** How long a session may keep its counts of reads to itself. */
const COUNTED_MS = 2_000;

const MEASURES: readonly Measure[] = [
  { key: 'grown.cpu', label: 'CPU of a sale, server and database', bar: 1.2 },
  { key: 'grown.time', label: 'time of a sale', bar: 1.2 },
];

/** A table or an index and its bytes; partitions count as their parent. */
export interface Relation {
  readonly table: string;
  /** Empty for the table itself. */
  readonly index: string;
  readonly bytes: number;
  /** Levels of a B-tree, root and leaves included; 0 for anything else. */
  readonly depth: number;
}

/** What one database held, and had read, at one moment. */
export interface Reading {
  readonly sales: number;
  /** Pages found in the buffers, and pages that were not there. */
  readonly hits: number;
  readonly reads: number;
  readonly relations: readonly Relation[];
}

/** Levels that a B-tree of so many pages has about. */
export function depthOf(pages: number): number {
  return pages <= 2 ? 1 : 1 + Math.ceil(Math.log(pages - 1) / Math.log(FAN_OUT));
}

/** What each relation grew by for a sale, most first, and all of them together. */
export function bytesOfSale(
  before: Reading,
  after: Reading,
): { readonly each: readonly Relation[]; readonly sum: number } {
  const sales = after.sales - before.sales;
  const name = ({ table, index }: Relation): string => `${table} ${index}`;
  const old = new Map(before.relations.map((one) => [name(one), one.bytes]));
  const each = after.relations
    .map((one) => ({ ...one, bytes: (one.bytes - (old.get(name(one)) ?? 0)) / sales }))
    .toSorted((a, b) => b.bytes - a.bytes);
  return { each, sum: each.reduce((all, { bytes }) => all + bytes, 0) };
}

const RELATIONS = (depth: string): string => `
  select coalesce(t.relname, p.relname, c.relname) as "table",
    case when t.oid is null then '' else coalesce(p.relname, c.relname) end as index,
    sum(pg_table_size(c.oid))::text as bytes, max(${depth})::int as depth
  from pg_class c join pg_am m on m.oid = c.relam
  left join pg_inherits h on h.inhrelid = c.oid left join pg_class p on p.oid = h.inhparent
  left join pg_index i on i.indexrelid = coalesce(p.oid, c.oid)
  left join pg_class t on t.oid = i.indrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')
  group by 1, 2`;
const EXACT = `case when m.amname = 'btree' then (bt_metap(c.oid::regclass::text)).level + 1 end`;

/** The server has the extension that reads an index's root page. */
async function hasInspect({ postgres }: Run): Promise<boolean> {
  const known = `select from pg_available_extensions where name = 'pageinspect'`;
  return (await postgres.sql('postgres', known)).length > 0;
}

/** Pages found and not found so far, without those that the next readings look at. */
async function readPages(
  { postgres }: Run,
  { site }: Side,
): Promise<Pick<Reading, 'hits' | 'reads'>> {
  await new Promise((resolve) => setTimeout(resolve, COUNTED_MS));
  const [counts] = await postgres.sql(
    site.database,
    `select blks_hit::text as hits, blks_read::text as reads from pg_stat_database
     where datname = current_database()`,
  );
  return { hits: Number(counts?.['hits']), reads: Number(counts?.['reads']) };
}

/** Sales, and the size and depth of everything. */
async function readStored(
  { postgres }: Run,
  { site }: Side,
  exact: boolean,
): Promise<Pick<Reading, 'sales' | 'relations'>> {
  if (exact) await postgres.sql(site.database, 'create extension if not exists pageinspect');
  const rows = await postgres.sql(site.database, RELATIONS(exact ? EXACT : '0'));
  return {
    sales: await settledInvoices(site.subject),
    relations: rows.map((row) => {
      const bytes = Number(row['bytes']);
      const about = row['index'] === '' ? 0 : depthOf(bytes / 8192);
      const depth = exact ? Number(row['depth'] ?? 0) : about;
      return { table: String(row['table']), index: String(row['index']), bytes, depth };
    }),
  };
}

/** Stores sales until the side has `count`. */
async function grow(run: Run, side: Side, count: number): Promise<Side> {
  const { database, subject } = side.site;
  const start = performance.now();
  const missing = count - (await settledInvoices(subject));
  if (missing > 0) await fill(run.postgres.url(database), missing);
  await run.postgres.sql(database, 'vacuum analyze');
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  run.say(`${side.name}: ${missing} sales filled in ${seconds} s`);
  await loadOnce(run, side.site, { label: 'settling', seconds: SETTLING });
  return { ...side, settled: await settledInvoices(subject) };
}

type Pair<T> = readonly [T, T];

/** The lines on what was read and stored, of both sides. */
export function grownLines(before: Pair<Reading>, after: Pair<Reading>, exact: boolean): string[] {
  const sales = (at: 0 | 1): number => after[at].sales - before[at].sales;
  const count = (at: 0 | 1): string =>
    `from ${before[at].sales.toLocaleString('en-US')} ` +
    `to ${after[at].sales.toLocaleString('en-US')} sales`;
  const pages = (at: 0 | 1): string => {
    const hits = (after[at].hits - before[at].hits) / sales(at);
    const reads = (after[at].reads - before[at].reads) / sales(at);
    return `${hits.toFixed(1)} hits and ${reads.toFixed(2)} reads of pages a sale`;
  };
  const [small, large] = [bytesOfSale(before[0], after[0]), bytesOfSale(before[1], after[1])];
  const there = new Map(small.each.map((one) => [`${one.table} ${one.index}`, one]));
  const rows = large.each
    .filter(({ bytes }) => bytes >= LISTED)
    .map((one) => {
      const less = there.get(`${one.table} ${one.index}`);
      const depths = one.depth === 0 ? '' : `${less?.depth ?? 0} to ${one.depth} levels`;
      const bytes = [less?.bytes ?? 0, one.bytes].map((each) => each.toFixed(0).padStart(7));
      return `${bytes.join(' ')}  ${one.index === '' ? one.table : `  ${one.index}`}  ${depths}`;
    });
  return [
    `small: ${count(0)}; ${pages(0)}`,
    `large: ${count(1)}; ${pages(1)}`,
    `bytes a sale, small and large; levels ${exact ? 'by bt_metap' : 'about, from the sizes'}:`,
    ...rows.map((row) => row.trimEnd()),
    `${small.sum.toFixed(0).padStart(7)} ${large.sum.toFixed(0).padStart(7)}  in all`,
  ];
}

async function compareGrown(run: Run, sides: Pair<Side>): Promise<void> {
  const exact = await hasInspect(run);
  const [small, large] = sides;
  const few = await readStored(run, small, exact);
  const many = await readStored(run, large, exact);
  const pages = [await readPages(run, small), await readPages(run, large)] as const;
  const record: Parameters<typeof compare>[2] = (less, more) => {
    run.figures.add('grown.cpu', more.cpu / less.cpu);
    run.figures.add('grown.time', less.rate / more.rate);
  };
  await compare(run, sides, record, { label: 'grown', checkpoint: false });
  const now = async (side: Side): Promise<Reading> => ({
    ...(await readPages(run, side)),
    ...(await readStored(run, side, exact)),
  });
  const lines = grownLines(
    [{ ...few, ...pages[0] }, { ...many, ...pages[1] }],
    [await now(small), await now(large)],
    exact,
  );
  const ratios = ratioLines(run.figures, MEASURES, 'large to small database');
  process.stdout.write(`${[...ratios, ...lines].join('\n')}\n`);
  for (const side of sides) await prove(run, side);
}

/** Compares a sale on a small database with one on a large one. */
export async function grownPart(run: Run): Promise<void> {
  const small = await openSide(run, 'small');
  try {
    const large = await openSide(run, 'large');
    try {
      const few = await grow(run, small, BASE);
      await compareGrown(run, [few, await grow(run, large, run.options.stored)]);
    } finally {
      await closeSite(run, large.site);
    }
  } finally {
    await closeSite(run, small.site);
  }
}

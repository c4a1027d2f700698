// Counts of what the people of a workspace have in common, under keyed hashes: what a person is
// counted under is added and taken off in the transaction that stores or removes the person. [G-53]
import type { Queryable, Transaction } from '../../../db/index.ts';
import { lineagePurpose, sealedPlace } from '../../../core/labels.ts';
import type { Random } from '../../../core/random.ts';
import { openBytes, sealBytes } from '../../../core/sealing.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import type { Features } from './features.ts';
import {
  homeOf,
  personOf,
  populationOf,
  textOf,
  valuesOf,
  type Population,
  type Value,
} from './population.ts';
import { SHIPPED } from './weights-data.ts';
import type { Weights } from './weights.ts';

const KEY_DIGITS = 16;
const KEY_BYTES = 8;
const NONCE_BYTES = 12;
/**
 * Keys that are of no value: all persons, pairs of persons alike in all that matters, persons whose
 * home is known, and pairs of relatives.
 */
const ALL = 0n;
const PAIRS = 1n;
const HOMES = 2n;
const RELATED = 3n;
/** Not stored under a key: the weights of its own that the tenant uses. */
const OWN = 4n;

/** A keyed hash as PostgreSQL's bigint. */
export function bigintOf(mac: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${mac.slice(0, KEY_DIGITS)}`));
}

function hasher(keys: Keys, workspace: number): (text: string) => bigint {
  const purpose = lineagePurpose('matchCount', keys.lineageOf(workspace));
  return (text) => bigintOf(keys.mac(purpose, text));
}

/**
 * What a person is counted under: who they are, or 1 where that is not known; each value; and where
 * it is known, who lives with them: home, home and birth date, 2.
 */
export function countedKeys(keys: Keys, workspace: number, features: Features): bigint[] {
  const hash = hasher(keys, workspace);
  const person = personOf(features);
  const values = valuesOf(features).map((value) => hash(textOf(value)));
  const home = homeOf(features);
  const homes = home === null ? [] : [...home.map(hash), HOMES];
  return [person === '' ? PAIRS : hash(`person|${person}`), ...values, ...homes];
}

function sealKey(keys: Keys, lineage: number): Buffer {
  return Buffer.from(keys.mac(lineagePurpose('matchCounted', lineage), ''), 'hex');
}

/** Seals what a person is counted under; `id` is the account's. */
export function sealCounted(
  { keys, random }: { readonly keys: Keys; readonly random: Random },
  workspace: number,
  id: string,
  counted: readonly bigint[],
): Buffer {
  const plain = Buffer.alloc(counted.length * KEY_BYTES);
  counted.forEach((key, at) => plain.writeBigInt64LE(key, at * KEY_BYTES));
  const lineage = keys.lineageOf(workspace);
  const place = sealedPlace('matchCounted', lineage, id);
  return sealBytes(sealKey(keys, lineage), random.bytes(NONCE_BYTES), plain, place);
}

/** Opens what `sealCounted` sealed; nothing where it is null. */
export function openCounted(
  keys: Keys,
  workspace: number,
  id: string,
  sealed: Buffer | null,
): bigint[] {
  if (sealed === null) return [];
  const lineage = keys.lineageOf(workspace);
  const place = sealedPlace('matchCounted', lineage, id);
  const plain = openBytes(sealKey(keys, lineage), sealed, place);
  return Array.from({ length: plain.length / KEY_BYTES }, (_, at) =>
    plain.readBigInt64LE(at * KEY_BYTES),
  );
}

/** How often a key is added, or taken off. */
type Changes = Map<bigint, number>;

function change(changes: Changes, counted: readonly bigint[], by: number): void {
  for (const key of counted) changes.set(key, (changes.get(key) ?? 0) + by);
}

// Keys are locked in their order. Whoever is stored as one of n alike makes n - 1 pairs.
const COUNT = `
  with changed as (
    insert into match_count as c (workspace, key, n)
    select $1, key, by from unnest($2::bigint[], $3::bigint[]) as asked (key, by) order by key
    on conflict (workspace, key) do update set n = c.n + excluded.n
    returning key, n
  ), paired as (
    select p.total, sum(p.sign * (c.n * (c.n - 1) - (c.n - p.by) * (c.n - p.by - 1))) / 2 as by
    from changed c
    join unnest($4::bigint[], $5::bigint[], $6::bigint[], $7::int[]) as p (key, by, total, sign)
      on p.key = c.key
    group by p.total
  )
  insert into match_count as c (workspace, key, n)
  select $1, total, by from paired where by <> 0 order by total
  on conflict (workspace, key) do update set n = c.n + excluded.n`;

/** A key whose pairs are counted, or taken off, in a total. */
type Paired = readonly [key: bigint, total: bigint, sign: 1 | -1];

/** Of what a person is counted under, the keys whose pairs are counted. */
function pairedIn(counted: readonly bigint[]): Paired[] {
  const [person = PAIRS] = counted;
  const own = person === PAIRS ? [] : [[person, PAIRS, 1] as const];
  const [home = 0n, born = 0n, mark] = counted.slice(-3);
  return mark === HOMES ? [...own, [home, RELATED, 1], [born, RELATED, -1]] : own;
}

/**
 * Counts persons of a workspace: each of `removed` is taken off, each of `added` counted. What
 * nobody has any more leaves no row.
 */
export async function countPersons(
  tx: Pick<Transaction, 'execute'>,
  workspace: number,
  { added, removed }: Record<'added' | 'removed', readonly (readonly bigint[])[]>,
): Promise<void> {
  const all: Changes = new Map();
  const paired = new Map<bigint, readonly [total: bigint, sign: number]>();
  for (const [list, by] of [[removed, -1], [added, 1]] as const) {
    for (const counted of list) {
      const values = counted[0] === PAIRS ? counted.slice(1) : counted;
      change(all, [ALL, ...values], by);
      for (const [key, total, sign] of pairedIn(counted)) paired.set(key, [total, sign]);
    }
  }
  const kept = [...all].filter(([, by]) => by !== 0);
  if (kept.length === 0) return;
  const pairs = kept.flatMap(([key, by]) => {
    const [total, sign] = paired.get(key) ?? [];
    return total === undefined ? [] : [[key, by, total, sign] as const];
  });
  const column = (at: 0 | 1 | 2 | 3): string[] => pairs.map((pair) => String(pair[at]));
  await tx.execute({
    name: 'match_count',
    text: COUNT,
    values: [
      workspace,
      kept.map(([key]) => key.toString()),
      kept.map(([, by]) => by),
      ...[column(0), column(1), column(2), column(3)],
    ],
  });
  if (removed.length === 0) return;
  await tx.execute({
    name: 'match_count_zero',
    text: `delete from match_count
      where workspace = $1 and n = 0 and key = any($2::bigint[])`,
    values: [workspace, [PAIRS, RELATED, ...kept.map(([key]) => key)].map(String)],
  });
}

/** The population of a workspace, as far as these values need it, with the weights in use. */
export async function loadPopulation(
  db: Queryable,
  keys: Keys,
  workspace: number,
  values: readonly Value[],
): Promise<Population> {
  const hash = hasher(keys, workspace);
  const texts = [...new Set(values.map(textOf))];
  const hashes = texts.map(hash);
  const rows = await db.query<{ key: bigint; n: bigint; used: string | null }>({
    name: 'match_counts_of',
    text: `select key, n, null as used from match_count
      where workspace = $1 and key = any($2::bigint[])
      union all
      select ${OWN}, 0, used from match_weights where workspace = $1 and used is not null`,
    values: [workspace, [ALL, PAIRS, HOMES, RELATED, ...hashes].map(String)],
  });
  const found = new Map(rows.map(({ key, n }) => [BigInt(key), Number(n)]));
  const count = (key: bigint): number => found.get(key) ?? 0;
  // By text, as each is asked for again and again.
  const counts = new Map(texts.map((text, at) => [text, count(hashes[at] as bigint)]));
  const of = (kind: Value[0], value: string): number => counts.get(textOf([kind, value])) ?? 0;
  const totals = { size: count(ALL), pairs: count(PAIRS) };
  const own = JSON.parse(rows.find(({ used }) => used !== null)?.used ?? '{}') as Partial<Weights>;
  const weights = { ...SHIPPED, ...own };
  return populationOf({ ...totals, homes: count(HOMES), related: count(RELATED) }, of, weights);
}

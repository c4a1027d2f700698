// The bench's command line: which parts to run, how long, how often. Unknown options are refused.
import { parseArgs } from 'node:util';

/** Parts of a run, in order. */
export const PARTS = [
  'calibrate',
  'spread',
  'hot',
  'fee',
  'escrow',
  'delay',
  'two',
  'filled',
  'latency',
  'start',
  'widget',
  'testing',
  'ten',
  'matching',
  'sandbox',
] as const;
export type Part = (typeof PARTS)[number];

/** Numbers of connections of the spread load. */
export const SWEEP: readonly number[] = [32, 64, 128, 256];
const USUAL = 64;

/** What to run and how. */
export interface Options {
  readonly parts: ReadonlySet<Part>;
  readonly rounds: number;
  /** Seconds measured of each load, and of each run of the yardstick. */
  readonly seconds: number;
  readonly yardstickSeconds: number;
  readonly warmupSeconds: number;
  /** Connections of a load: 64, unless the sweep has no 64. */
  readonly connections: number;
  /** Numbers of connections with which spread sales are measured against the yardsticks. */
  readonly sweep: readonly number[];
  /** Whether the transfer of a ledger inside the database is a second yardstick. */
  readonly peers: boolean;
  /** Invoices stored before the part `filled`, and in the large database of `grown`. */
  readonly stored: number;
  /** Persons stored before matching look-ups are measured. */
  readonly persons: number;
  /** The populations of matching; null: all. */
  readonly peoples: readonly string[] | null;
  /** Whether the table of docs/matching.md is written: by a whole run of that part alone. */
  readonly writeMatching: boolean;
  /** Purchases per second assumed for the knee; null: the spread load finds it. */
  readonly knee: number | null;
  readonly profile: boolean;
  /** Folder of another checkout to compare with, and nothing else; null: no. */
  readonly paired: string | null;
  /** What is sold in the comparison: escrows where `--only escrow` says so. */
  readonly pairedSale: 'plain' | 'escrow';
  /** Whether a small database is compared with one of `stored` sales, and nothing else. */
  readonly grown: boolean;
  /** Whether lists, searches and exports are measured on `stored` sales, and nothing else. */
  readonly lists: boolean;
  /** Requests of each kind of page. */
  readonly requests: number;
  /** Minutes of steady load, and nothing else; null: no. */
  readonly soak: number | null;
  /** Whether docs/performance.md is written. */
  readonly write: boolean;
  /** Where the database's folder is created; a real disk. */
  readonly folder: string;
  /** The platform's program. */
  readonly program: string;
  readonly portBase: number;
}

export const USAGE = `npm run bench -- [options]
  --quick            one short round, docs/performance.md untouched
  --only a,b         parts: ${PARTS.join(', ')};
                     without it all but matching
  --rounds n         rounds (3)                  --duration s      seconds of each load (15)
  --connections a,b  of the spread load (32,64,128,256); other loads have 64, or else the first
  --peers            also against a ledger inside the database, by pgbench
  --stored n         invoices of the fill (1000000)
  --knee n           knee for the latencies      --persons n       persons of matching (1000000)
  --profile          CPU profile, heaviest statements
  --paired folder    only this: that checkout (before) against this one (after), create + pay in
                     turns, 10 rounds of four windows of 4 s, and the interval of their ratio;
                     with --only escrow: create + pay + commit of escrows
  --grown            only this: a sale on 10,000 stored ones and on --stored, in turns as above,
                     with the depth of indexes, pages read and bytes left by a sale
  --lists            only this: every list, search and export over --stored sales, 200 times
  --peoples a,b      only these populations of matching, such as vietnam, korea, unitedStates
  --soak minutes     only this: half of the promised load; memory after each minute and its slope
  --folder path      for the database (/var/tmp) --program file    platform (src/main.ts)
  --port-base n      first port (21700)          --no-write        leave docs/performance.md alone`;

function whole(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} wants a whole number, not ${text}`);
  return Number(text);
}

function chosenParts(only: string | undefined, profile: boolean): ReadonlySet<Part> {
  // Matching takes as long as all the rest, and has its own page.
  if (only === undefined) {
    return new Set<Part>(profile ? ['spread'] : PARTS.filter((part) => part !== 'matching'));
  }
  const names = only.split(',');
  for (const name of names) {
    if (!PARTS.some((part) => part === name)) {
      throw new Error(`--only: there is no part ${name}; parts are ${PARTS.join(', ')}`);
    }
  }
  return new Set(PARTS.filter((part) => names.includes(part)));
}

/** Defaults of what the command line leaves out. */
function usualOf(inTurns: boolean, isBrief: boolean) {
  if (inTurns) return { rounds: '10', seconds: '4', warmup: 1 };
  return isBrief
    ? { rounds: '1', seconds: '8', warmup: 2 }
    : { rounds: '3', seconds: '15', warmup: 4 };
}

function connectionsOf(given: string | undefined, isBrief: boolean) {
  const usual = isBrief ? [USUAL] : SWEEP;
  const sweep = given?.split(',').map((count) => whole('connections', count)) ?? usual;
  return { sweep, connections: sweep.includes(USUAL) ? USUAL : (sweep[0] ?? USUAL) };
}

/** Parses the arguments after the program's name. Throws a sentence for the user. */
export function readOptions(args: readonly string[], program: string): Options {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      paired: { type: 'string' },
      grown: { type: 'boolean', default: false },
      lists: { type: 'boolean', default: false },
      soak: { type: 'string' },
      write: { type: 'boolean', default: true },
      only: { type: 'string' },
      rounds: { type: 'string' },
      duration: { type: 'string' },
      connections: { type: 'string' },
      peers: { type: 'boolean', default: false },
      stored: { type: 'string', default: '1000000' },
      knee: { type: 'string' },
      persons: { type: 'string' },
      peoples: { type: 'string' },
      folder: { type: 'string', default: '/var/tmp' },
      program: { type: 'string', default: program },
      'port-base': { type: 'string', default: '21700' },
    },
  });
  const brief = values.quick || values.profile;
  const paired = values.paired ?? null;
  const soak = values.soak === undefined ? null : whole('soak', values.soak);
  const alone = paired !== null || values.grown || values.lists || soak !== null;
  const usual = usualOf(paired !== null || values.grown, brief);
  const seconds = whole('duration', values.duration ?? usual.seconds);
  return {
    parts: alone ? new Set<Part>() : chosenParts(values.only, values.profile),
    rounds: whole('rounds', values.rounds ?? usual.rounds),
    seconds,
    yardstickSeconds: Math.min(seconds, brief ? 5 : 10),
    warmupSeconds: usual.warmup,
    ...connectionsOf(values.connections, brief),
    peers: values.peers,
    stored: whole('stored', values.stored),
    persons: whole('persons', values.persons ?? (values.quick ? '50000' : '1000000')),
    peoples: values.peoples?.split(',') ?? null,
    writeMatching:
      values.write && !brief && values.only === 'matching' && values.peoples === undefined,
    knee: values.knee === undefined ? null : whole('knee', values.knee),
    profile: values.profile,
    paired,
    pairedSale: values.only === 'escrow' ? 'escrow' : 'plain',
    grown: values.grown,
    lists: values.lists,
    requests: brief ? 5 : 200,
    soak,
    write: values.write && !brief && values.only === undefined && !alone,
    folder: values.folder,
    program: values.program,
    portBase: whole('port-base', values['port-base']),
  };
}

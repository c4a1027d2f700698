// The connection pools of a process, one per kind of work, so that one kind never waits for
// another's.
import type { Config } from './config.ts';
import {
  ALONE,
  BEATING,
  CONNECT_MS,
  crowded,
  Database,
  Heartbeat,
  isSynchronous,
  refusePooled,
  roomOf,
  SharedReads,
  Unsuitable,
  type DatabaseOptions,
} from './db/index.ts';
import { ENGINE_SETTINGS } from './engine/index.ts';

export interface Pools {
  readonly heartbeat: Heartbeat;
  readonly engine: Database;
  /** Discovery: many small concurrent reads on one connection. */
  readonly discovery: SharedReads;
  readonly reads: Database;
  readonly work: Database;
  /** Long work: what a first start creates, clones of workspaces. */
  readonly long: Database;
  /** What Prometheus asks for: nobody else waits for it, nor it for them. */
  readonly seen: Database;
}

/** Two clones at a time keep two processors busy. */
const COPIES = 2;
/** Heartbeat, discovery, and in a sandbox the listener. */
const SINGLE = 3;
/** The server's own limit comes first; a client silent for so much longer has lost the server. */
const SLACK_MS = 2_000;
/** Prometheus soon asks again. */
const SEEN_MS = 2_000;
/** Longer than the thirty seconds that a statement of long work may take. */
const LONG_ANSWER_MS = 35_000;

type Limits = Pick<Config, 'connections' | 'statementMs' | 'connectionMinutes' | 'patienceMs'>;

/** How many connections a process opens at most: its pools, and one each of what has no pool. */
export function nodeConnections({ connections }: Pick<Config, 'connections'>): number {
  const { engine, reads, work } = connections;
  return engine + reads + work + COPIES + SINGLE;
}

/** What an operator should change about the database; production does not start without room. */
export async function concernsOf(db: Database, config: Config): Promise<string[]> {
  await refusePooled(db);
  const each = nodeConnections(config);
  const room = await roomOf(db);
  const strict = config.env === 'production';
  const alone = crowded({ ...room, nodes: 1 }, each);
  if (strict && alone !== null) throw new Unsuitable(alone);
  const full = crowded({ ...room, nodes: room.nodes + 1 }, each);
  const isSafe = !strict || (await isSynchronous(db));
  return [...(full === null ? [] : [full]), ...(isSafe ? [] : [ALONE])];
}

/** The pools of one process; they connect at first use. */
export function openPools(url: string, config: Limits): Pools {
  const { connections, statementMs, connectionMinutes: ageMinutes, patienceMs } = config;
  const heartbeat = new Heartbeat(new Database({ ...BEATING, url }));
  const { told } = heartbeat;
  const common = (name: string, max: number) =>
    ({ url, max, primary: true, applicationName: `holdfast ${name}`, ageMinutes, told }) as const;
  const limited = (name: string, max: number, ms: number): DatabaseOptions => ({
    ...common(name, max),
    settings: {
      ...ENGINE_SETTINGS,
      statement_timeout: `${ms}ms`,
      idle_in_transaction_session_timeout: `${statementMs}ms`,
    },
    answerMs: ms + SLACK_MS,
    transactionMs: 2 * ms,
    waitMs: Math.max(patienceMs, CONNECT_MS),
  });
  return {
    heartbeat,
    engine: new Database(limited('engine', connections.engine, statementMs)),
    discovery: new SharedReads(limited('discovery', 1, statementMs)),
    reads: new Database(limited('reads', connections.reads, statementMs)),
    // Nobody waits for the workers, and some of their statements touch many rows.
    work: new Database(limited('work', connections.work, 2 * statementMs)),
    long: new Database({
      ...common('long', COPIES),
      settings: ENGINE_SETTINGS,
      answerMs: LONG_ANSWER_MS,
    }),
    seen: new Database({
      ...common('metrics', 1),
      settings: {
        default_transaction_read_only: 'on',
        statement_timeout: `${SEEN_MS}ms`,
        jit: 'off',
      },
      answerMs: SEEN_MS + SLACK_MS,
      waitMs: SEEN_MS,
    }),
  };
}

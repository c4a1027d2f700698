// A command from its arrival until it may be decided. Discovery loads without locks what a group of
// commands needs until their read sets are complete, and looks up stored answers of idempotent
// requests; what it read may be outdated once the rows are locked: transaction.ts checks again.
import { currentWork, type Cause } from '../concurrency/cause.ts';
import { EngineFault, type Command, type CommandAnswer, type Submission } from '../core/command.ts';
import { Refusal } from '../core/refusal.ts';
import { rowKey } from '../core/table.ts';
import { arrayValue, type Queryable } from '../db/index.ts';
import { isOfRequest, isUnder, recordOf, type IdempotencyRow } from './kept-answers.ts';
import { engineRefusals, type Compose, type EngineOptions } from './options.ts';
import {
  Collector,
  findRows,
  Loaded,
  readRows,
  RowRequests,
  type FindRequest,
  type ImmutableRows,
  type LockKey,
} from './rows.ts';

/** A command of any input type; the engine never reads inputs. */
export type AnyCommand = Command<unknown>;

/** The answer of a command; `replayed` if an earlier run of the same request stored it. */
export interface Outcome {
  readonly answer: CommandAnswer;
  readonly replayed: boolean;
}

export interface Pending {
  readonly command: AnyCommand;
  readonly input: unknown;
  readonly submission: Submission;
  /** The request that it is for; absent: nobody's. */
  readonly cause?: Cause | undefined;
  /** Lineage of the submission's workspace. */
  readonly lineage: number;
  /** Milliseconds on the engine's clock. */
  readonly arrived: number;
  loaded: Loaded;
  /** Locked rows from a run whose read set was too small, for speculative reads. */
  speculative: Loaded | null;
  locks: readonly LockKey[];
  /** Names of what it needs exclusively: its locked rows and its idempotency claim. */
  keys: readonly string[];
  /** How often it was sent back because of rows locked elsewhere or a lost connection. */
  rounds: number;
  /** Times that others went before it because its rows were in flight here. */
  passed: number;
  settle(outcome: Outcome): void;
  fail(error: unknown): void;
}

/** What the unit of work of a command begins with. */
export type Asked = Pick<Pending, 'submission' | 'lineage' | 'loaded' | 'cause'>;

/** A command that has just arrived; nothing is loaded yet. */
export function arriving(
  given: Omit<Pending, 'loaded' | 'speculative' | 'locks' | 'keys' | 'rounds' | 'passed' | 'cause'>,
): Pending {
  return {
    ...given,
    cause: currentWork()?.cause,
    loaded: new Loaded(),
    speculative: null,
    locks: [],
    keys: [],
    rounds: 0,
    passed: 0,
  };
}

/** The idempotency claim's name among the keys; null without one. */
export function claimKey(submission: Submission): string | null {
  const claim = submission.idempotency;
  return claim ? `idempotency:${submission.workspace}:${claim.scope}` : null;
}

/** Drops what discovery found, so that it is read again. */
export function forget(pending: Pending): void {
  pending.loaded = new Loaded();
  pending.locks = [];
  pending.keys = [];
}

/** Where rows and stored answers come from. */
type Sources = Pick<EngineOptions, 'reads' | 'compose'>;

const MOST_ROUNDS = 6;

/**
 * Loads for the whole group; returns the commands ready to be decided. Replays are answered here,
 * once all was read: where reading fails, nobody has been answered.
 */
export async function discover(
  sources: Sources,
  group: readonly Pending[],
  memory: ImmutableRows,
): Promise<Pending[]> {
  const loaded = new Loaded();
  const claimed = group.filter((pending) => pending.submission.idempotency);
  const replays = claimed.length > 0 ? storedAnswers(sources.reads, claimed) : null;
  const reading = closeLockSets(sources.reads, group, loaded, memory);
  const [ready, stored] = await Promise.all([reading, replays]);
  if (stored === null) return ready;
  settleStored(stored, sources.compose);
  return ready.filter((pending) => !stored.has(pending));
}

async function closeLockSets(
  db: Queryable,
  group: readonly Pending[],
  loaded: Loaded,
  memory: ImmutableRows,
): Promise<Pending[]> {
  let open = [...group];
  for (const pending of open) pending.loaded = loaded;
  const ready: Pending[] = [];
  for (let round = 0; open.length > 0; round += 1) {
    if (round === MOST_ROUNDS) throw new EngineFault('load never comes to an end');
    const still: Pending[] = [];
    const rows = new RowRequests();
    const finds = new Map<string, FindRequest>();
    for (const pending of open) {
      if (collect(pending, memory, rows, finds)) ready.push(pending);
      else still.push(pending);
    }
    await Promise.all([
      readRows(db, rows.list, loaded, memory),
      findRows(db, [...finds.values()], loaded),
    ]);
    open = still;
  }
  return ready;
}

/** Runs `needs` until it asks for a row that is not in memory; true if the read set is complete. */
function collect(
  pending: Pending,
  memory: ImmutableRows,
  rows: RowRequests,
  finds: Map<string, FindRequest>,
): boolean {
  const { workspace } = pending.submission;
  for (;;) {
    const collector = new Collector(pending, null, pending.speculative);
    pending.command.load(collector, pending.input);
    let remembered = 0;
    for (const { table, id } of collector.missing) {
      const row = table.remembered ? memory.get(table, workspace, id) : undefined;
      if (row === undefined) {
        rows.add(table, workspace, id);
      } else {
        pending.loaded.set(table, workspace, id, row);
        remembered += 1;
      }
    }
    if (remembered > 0 && remembered === collector.missing.length) continue;
    for (const { index, value } of collector.missingFinds) {
      finds.set(`${index.table.name}.${index.column}:${rowKey(workspace, value)}`, {
        index,
        workspace,
        value,
      });
    }
    if (collector.missing.length + collector.missingFinds.length > 0) return false;
    pending.locks = collector.locks;
    const keys = collector.locks.map(({ table, id }) => `${table.name}:${rowKey(workspace, id)}`);
    const claim = claimKey(pending.submission);
    if (claim !== null) keys.push(claim);
    pending.keys = keys;
    return true;
  }
}

/** Stored answers by the commands that ask for them again. */
type Stored = ReadonlyMap<Pending, IdempotencyRow>;

/** Answers those whose key has a stored answer, or refuses them if it is another request's. */
export async function settleReplays(
  { reads, compose }: Sources,
  claimed: readonly Pending[],
): Promise<Stored> {
  const stored = await storedAnswers(reads, claimed);
  settleStored(stored, compose);
  return stored;
}

async function storedAnswers(reads: Queryable, claimed: readonly Pending[]): Promise<Stored> {
  const rows = await reads.query<IdempotencyRow>({
    name: 'read:idempotency',
    // Joined to the keys, so that every PostgreSQL finds each by the whole key: a plan made on the
    // emptied table of a turn may not read all keys of a workspace a minute later.
    text: `select i.workspace, i.scope, i.fingerprint, i.status, i.record, i.record_id,
        i.record_version, i.answer
      from unnest($1::int4[], $2::text[]) as k(workspace, scope)
      join idempotency i on i.workspace = k.workspace and ${isUnder('k.scope')}`,
    values: [
      arrayValue('int4', claimed.map((pending) => pending.submission.workspace)),
      arrayValue('text', claimed.map((pending) => pending.submission.idempotency?.scope ?? '')),
    ],
  });
  const stored = new Map<Pending, IdempotencyRow>();
  if (rows.length === 0) return stored;
  const kept = new Map(rows.map((row) => [`idempotency:${row.workspace}:${row.scope}`, row]));
  for (const pending of claimed) {
    const row = kept.get(claimKey(pending.submission) ?? '');
    if (row !== undefined) stored.set(pending, row);
  }
  return stored;
}

function settleStored(stored: Stored, compose: Compose): void {
  for (const [pending, row] of stored) {
    const claim = pending.submission.idempotency;
    if (!claim || !isOfRequest(row, claim)) {
      pending.fail(new Refusal(engineRefusals.IDEMPOTENCY_KEY_REUSED));
      continue;
    }
    keptAnswer(row, compose).then(
      (answer) => pending.settle({ answer, replayed: true }),
      (error: unknown) => pending.fail(error),
    );
  }
}

async function keptAnswer(row: IdempotencyRow, compose: Compose): Promise<CommandAnswer> {
  const shown = recordOf(row);
  if (shown !== null) {
    const payload = await compose(row.workspace, shown.kind, shown.id, shown.version);
    return { status: row.status, payload };
  }
  const payload = row.answer === null ? undefined : (JSON.parse(row.answer) as unknown);
  return { status: row.status, payload };
}

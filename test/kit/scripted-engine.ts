// The engine on a scripted database, with a clock that the test moves and commands that write one
// note; what is looked at is what was sent, who was answered and who was told.
import { Engine } from '../../src/engine/engine.ts';
import { tableOf, type Command, type CommandAnswer } from '../../src/engine/index.ts';
import type { EngineOptions, RowOf } from '../../src/engine/index.ts';
import { defineRefusals, refuse, type Refusal } from '../../src/core/refusal.ts';
import { ScriptedDatabase } from './scripted-database.ts';

export const noteTable = tableOf('note', 1, { id: 'uuid', text: 'text' }, { remembered: 2 });
export type NoteRow = RowOf<typeof noteTable>;
const no = defineRefusals({
  NO: { status: 400, sentence: 'No.', act: 'caller', retry: false, cites: 'test' },
});

let ids = 0;
export const freshId = (): string =>
  `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`;

/** What a command is to do. */
export interface Asked {
  /** Rows that are read and, where they are to change, locked. */
  readonly reads?: readonly string[];
  readonly locks?: readonly string[];
  readonly id?: string;
  readonly answer?: Partial<CommandAnswer>;
  readonly fails?: 'needs' | 'decide' | 'refuse';
}

/** Writes one note, unless it is to fail. */
export const write: Command<Asked> = {
  name: 'write',
  batchable: true,
  load(rows, { reads = [], locks = [], fails }) {
    if (fails === 'needs') throw new Error('a bug in needs');
    for (const id of reads) rows.read(noteTable, id);
    for (const id of locks) if (rows.read(noteTable, id)) rows.lock(noteTable, id);
  },
  decide(decision, { reads = [], id = freshId(), answer, fails }) {
    for (const one of reads) decision.get(noteTable, one);
    if (fails === 'decide') throw new Error('a bug in decide');
    if (fails === 'refuse') throw refuse(no.NO);
    decision.insert(noteTable, { workspace: decision.workspace, id, text: decision.now });
    return { status: 201, payload: { id }, ...answer };
  },
};
export const alone: Command<Asked> = { ...write, name: 'alone', batchable: false };
export const look: Command<Asked> = {
  ...write,
  name: 'look',
  decide: (decision, { reads = [] }) => ({
    status: 200,
    payload: reads.map((id) => decision.get(noteTable, id)?.text ?? null),
  }),
};

export const NOW = '2026-06-01T00:00:00.000000Z';
export const by = { workspace: 1, actor: 'client:test' };

export function scene(more: Partial<EngineOptions> = {}) {
  const database = new ScriptedDatabase();
  let now = 0;
  const timers: (() => void)[] = [];
  const faults: string[] = [];
  const committed: [number[], string[]][] = [];
  database.at = (name) => (name === 'stamp' ? stamps : undefined);
  const engine = new Engine({
    db: database.pool,
    reads: database.pool,
    scheduler: {
      now: () => now,
      soon: (work) => void setImmediate(work),
      after: (_ms, work) => void timers.push(work),
      chance: () => 0,
    },
    newId: freshId,
    compose: async (workspace, kind, id, version) => ({ composed: [workspace, kind, id, version] }),
    lineages: { lineageOf: (workspace) => workspace },
    committed: (workspaces, tables) => void committed.push([[...workspaces], [...tables]]),
    fault: (error, command) => void faults.push(`${command}: ${(error as Error).message}`),
    ...more,
  });
  const pass = (ms: number): void => {
    now += ms;
    for (const work of timers.splice(0)) work();
  };
  return { database, engine, faults, committed, pass };
}

export const stamps = [1, 2].map((workspace) => ({ xid: '77', workspace, now: NOW, ended: false }));

/** What became of each: its status, or the code or message of what it failed with. */
export async function ends(work: readonly Promise<CommandAnswer>[]): Promise<(string | number)[]> {
  return (await Promise.allSettled(work)).map((one) => {
    if (one.status === 'fulfilled') return one.value.status;
    return (one.reason as Refusal).spec?.code ?? (one.reason as Error).message;
  });
}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What the driver says of a connection that broke. */
export const lost = (): Error => Object.assign(new Error('gone'), { code: 'ECONNRESET' });

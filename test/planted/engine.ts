// Defects of the engine: who runs next, what is run again, what a decision may write, and the
// statements that it becomes.
import type { Defect } from './defect.ts';

const QUEUE = ['src/engine/queue.test.ts'];
const UNIT = ['src/engine/unit-of-work.test.ts'];
const ENGINE = ['src/engine/engine.pg.test.ts'];
const TROUBLE = ['src/engine/trouble.pg.test.ts'];
const ROWS = ['src/engine/rows.test.ts'];
const STATEMENTS = ['src/engine/statements.pg.test.ts'];

const queue: readonly Defect[] = [
  {
    name: 'a tenant fills the batch',
    breaks: 'Whoever has most waiting takes all of a batch; the other tenants wait.',
    file: 'src/engine/queue.ts',
    from: 'const share = Math.ceil(MOST_ROWS / tenants);',
    to: 'const share = MOST_ROWS;',
    tests: QUEUE,
  },
  {
    name: 'first come, first served between tenants',
    breaks: 'Tenants who were served stay first: with many tenants the last ones never run.',
    file: 'src/engine/queue.ts',
    from: 'if (rest.length < queue.length) this.#queues.delete(workspace);',
    to: 'if (rest.length === 0) this.#queues.delete(workspace);',
    tests: QUEUE,
  },
  {
    name: 'a blocked tenant uses up the looks of all',
    breaks: 'A tenant whose commands wait for one row keeps the others from being looked at.',
    file: 'src/engine/queue.ts',
    from: `    const mostLooks = Math.ceil(MOST_LOOKS / tenants);
    for (const [workspace, queue] of [...this.#queues]) {
      const rest: Pending[] = [];
      let mine = 0;
      let looks = 0;
`,
    to: `    const mostLooks = MOST_LOOKS;
    let looks = 0;
    for (const [workspace, queue] of [...this.#queues]) {
      const rest: Pending[] = [];
      let mine = 0;
`,
    tests: QUEUE,
  },
  {
    name: 'a later command overtakes',
    breaks: 'A command that waits for two rows is passed by others for ever.',
    file: 'src/engine/queue.ts',
    from: 'if (pending.passed > MOST_PASSED) for (const key of pending.keys) wanted.add(key);',
    to: '',
    tests: QUEUE,
  },
  {
    name: 'rows in flight are taken again',
    breaks: 'Two transactions of one process rows the same row.',
    file: 'src/engine/queue.ts',
    from: '!this.#held.has(key) && !wanted.has(key)',
    to: '!wanted.has(key)',
    tests: QUEUE,
  },
  {
    name: 'a single command takes rows in flight',
    breaks: 'A single-command transaction waits in the database for a batch of its own process.',
    file: 'src/engine/queue.ts',
    from: 'if (pending === undefined || pending.keys.some((key) => this.#held.has(key))) continue;',
    to: 'if (pending === undefined) continue;',
    tests: QUEUE,
  },
  {
    name: 'high priority goes last',
    breaks: 'What finishes something begun waits behind new work.',
    file: 'src/engine/queue.ts',
    from: 'addFirst(queue, pending);',
    to: 'queue.push(pending);',
    tests: QUEUE,
  },
  {
    name: 'the newest of high priority goes first',
    breaks: 'Under load the oldest command that must not be refused never runs.',
    file: 'src/engine/queue.ts',
    from: 'addFirst(queue, pending);',
    to: 'queue.unshift(pending);',
    tests: QUEUE,
  },
  {
    name: 'a repeated request is run beside the first',
    breaks: 'Two requests with one Idempotency-Key are decided in one batch.',
    file: 'src/engine/queue.ts',
    from: 'if (taken.has(claim)) {',
    to: 'if (taken.size < 0) {',
    tests: QUEUE,
  },
  {
    name: 'held names are not given back',
    breaks: 'A command that was discovered again leaves its first rows held for ever.',
    file: 'src/engine/queue.ts',
    from: 'this.#heldBy.get(pending) ?? []',
    to: 'pending.keys',
    tests: QUEUE,
  },
  {
    name: 'high priority is dropped as late',
    breaks: 'A capture that was paid for is refused because the queue is long.',
    file: 'src/engine/queue.ts',
    from: 'return !pending.command.highPriority && scheduler.now()',
    to: 'return scheduler.now()',
    tests: [...QUEUE, ...TROUBLE],
  },
  {
    name: 'nobody is late',
    breaks: 'The queue grows without end and every caller times out.',
    file: 'src/engine/queue.ts',
    from: 'pending.arrived > queueTimeout;',
    to: 'pending.arrived > Infinity;',
    tests: QUEUE,
  },
  {
    name: 'high priority waits for a database that is away',
    breaks: 'Callers hang for as long as the database is gone.',
    file: 'src/engine/queue.ts',
    from: 'if (!this.isYoung(pending) && away?.() === true) return true;',
    to: '',
    tests: QUEUE,
  },
  {
    name: 'small groups start beside large ones',
    breaks: 'Transactions of one command each use up the connections.',
    file: 'src/engine/queue.ts',
    from: '(this.#underWay === 0 || size >= this.#last)',
    to: 'size > 0',
    tests: QUEUE,
  },
];

const again: readonly Defect[] = [
  {
    name: 'a lost unique key is a fault',
    breaks: 'Who loses a race for a unique key gets 500 instead of what the rows say.',
    file: 'src/engine/engine.ts',
    from: "if (sqlState(error) === '23505' && tries < MOST_TRIES) continue;",
    to: '',
    tests: TROUBLE,
  },
  {
    name: 'a lost unique key is looked for once',
    breaks: 'Losing the race twice is a 500.',
    file: 'src/engine/engine.ts',
    from: "if (sqlState(error) === '23505' && tries < MOST_TRIES) continue;",
    to: "if (sqlState(error) === '23505' && tries < 1) continue;",
    tests: TROUBLE,
  },
  {
    name: 'a deadlock is a fault',
    breaks: 'Two transactions that met crosswise give 500 to all of a batch.',
    file: 'src/engine/transaction.ts',
    from: "(state !== '40001' && state !== '40P01')",
    to: "state !== '40001'",
    tests: TROUBLE,
  },
  {
    name: 'a poisoned command takes its batch along',
    breaks: 'One command that the database refuses fails all that share its transaction.',
    file: 'src/engine/engine.ts',
    from: 'else if (this.#waiting.dropLate([pending]).length > 0) await this.#runAlone(pending);',
    to: 'else this.#fault(pending, error);',
    tests: ENGINE,
  },
  {
    name: 'rows that were not locked are decided on',
    breaks: 'A command is decided although another transaction holds its row.',
    file: 'src/engine/transaction.ts',
    from: '    if (pending.loaded.get(table, workspace, id) !== null) return null;\n',
    to: '',
    tests: ENGINE,
  },
  {
    name: 'an answer is not kept',
    breaks: 'The same Idempotency-Key charges twice.',
    file: 'src/engine/transaction.ts',
    from: '      keepAnswer(draft, pending, answer);',
    to: '',
    tests: ENGINE,
  },
  {
    name: 'a key answers for another request',
    breaks: 'An Idempotency-Key that is used for another request gives the first answer.',
    file: 'src/engine/discover.ts',
    from: 'if (!claim || !isOfRequest(row, claim)) {',
    to: "if (row.fingerprint === '') {",
    tests: ENGINE,
  },
  {
    name: 'a lost commit is believed to be undone',
    breaks: 'A payment whose COMMIT lost its answer is done a second time.',
    file: 'src/engine/write.ts',
    from: 'if (mark !== null && (await isThere(db, mark))) return true;',
    to: '',
    tests: ['src/engine/write.pg.test.ts'],
  },
];

const decisions: readonly Defect[] = [
  {
    name: 'a balance below zero',
    breaks: 'A wallet is overdrawn in memory, and the whole batch fails in the database.',
    file: 'src/engine/unit-of-work.ts',
    from: "if (amount < 0n) throw new EngineFault('a balance would fall below zero');",
    to: '',
    tests: UNIT,
  },
  {
    name: 'an entry off balance',
    breaks: 'Money appears or vanishes in memory, and the whole batch fails in the database.',
    file: 'src/engine/unit-of-work.ts',
    from: 'if (sum !== 0n) throw new EngineFault(`an entry is off balance in ${currency}`);',
    to: '',
    tests: UNIT,
  },
  {
    name: 'currencies are added up',
    breaks: 'Five dollars out and five euro in are an entry.',
    file: 'src/engine/unit-of-work.ts',
    from: 'sums.set(entry.currency, (sums.get(entry.currency) ?? 0n) + entry.amount);',
    to: "sums.set('', (sums.get('') ?? 0n) + entry.amount);",
    tests: UNIT,
  },
  {
    name: 'a change without a lock',
    breaks: 'A row that was only read is written, over what others wrote meanwhile.',
    file: 'src/engine/unit-of-work.ts',
    from: 'if (!fresh && this.#working.get(table, row.workspace, row.id) === undefined) {',
    to: 'if (!fresh && this.#working === undefined) {',
    tests: UNIT,
  },
  {
    name: 'an illegal move',
    breaks: 'A resource goes where no row of its lifecycle leads.',
    file: 'src/engine/unit-of-work.ts',
    from: 'const row = findMove(machine, from, on, to);',
    to: 'const row = machine.moves.find((one) => one.from === from && one.on === on) ?? null;',
    tests: UNIT,
  },
  {
    name: 'what a row names is left out',
    breaks: 'Money that a row names is not posted, and its event is not announced.',
    file: 'src/engine/unit-of-work.ts',
    from: '    this.#owed.close();\n',
    to: '',
    tests: UNIT,
  },
  {
    name: 'money that no row names',
    breaks: 'A move posts money of which its row says nothing.',
    file: 'src/engine/unit-of-work.ts',
    from: 'if (movements === undefined && !empty) {',
    to: 'if (movements === undefined && this.#posted === undefined) {',
    tests: UNIT,
  },
  {
    name: 'a move is silent',
    breaks: 'The event that a row names is not announced.',
    file: 'src/engine/unit-of-work.ts',
    from: 'if (emits?.record !== undefined) this.#announce(emits, id, version, null);',
    to: '',
    tests: ['test/laws/machines.pg.test.ts'],
  },
  {
    name: 'time runs backwards',
    breaks: 'After the clock went back a history is out of order.',
    file: 'src/engine/unit-of-work.ts',
    from: 'const at = laterOf(this.now, row.updated);',
    to: 'const at = this.now;',
    tests: UNIT,
  },
  {
    name: 'a refused command leaves its changes',
    breaks: 'What a refused command changed is seen by the next one of the batch.',
    file: 'src/engine/unit-of-work.ts',
    from: '    this.#byRow.set(table, row.workspace, row.id, written);',
    to: `    this.#byRow.set(table, row.workspace, row.id, written);
    this.#working.set(table, row);`,
    tests: UNIT,
  },
];

const statements: readonly Defect[] = [
  {
    name: 'a lost update',
    breaks: 'A row is written over although its version is another than was read.',
    file: 'src/engine/write.ts',
    from: "${expected === undefined ? '' : `and t.version = ${expected}`} returning 1)`;",
    to: 'returning 1)`;',
    tests: STATEMENTS,
  },
  {
    name: 'what was not written is not noticed',
    breaks: 'A change of a row that is gone is answered as done.',
    file: 'src/engine/write.ts',
    from: 'select assert_counts(${expected}, array[${counts.join(\', \')}])`;',
    to: 'select ${expected}, array[${counts.join(\', \')}]`;',
    tests: STATEMENTS,
  },
  {
    name: 'a text that says NULL is nothing',
    breaks: 'A customer whose reference is "null" loses it.',
    file: 'src/db/arrays.ts',
    from: "(text.length !== 4 || text.toUpperCase() !== 'NULL')",
    to: 'text.length > 0',
    tests: STATEMENTS,
  },
  {
    name: 'locks in any order',
    breaks: 'Two transactions lock the same tables crosswise and one of them dies.',
    file: 'src/engine/rows.ts',
    from: '.sort(([a], [b]) => a.rank - b.rank)',
    to: '',
    tests: ROWS,
  },
  {
    name: "a cached row of another tenant's",
    breaks: "A row that is cached for one tenant is given to another who knows its id.",
    file: 'src/engine/rows.ts',
    from: 'return row?.workspace === workspace ? row : undefined;',
    to: 'return row;',
    tests: ROWS,
  },
  {
    name: "a search finds another tenant's rows",
    breaks: 'A look-up by a column gives the rows of all tenants in the batch.',
    file: 'src/engine/rows.ts',
    from: '          row.workspace === request.workspace &&\n',
    to: '',
    tests: ROWS,
  },
  {
    name: 'due by the clock on the wall',
    breaks: 'A sandbox whose clock was set forward does nothing that is due there.',
    file: 'src/engine/tables.ts',
    from: 'and due <= clock_timestamp() + w.clock_offset',
    to: 'and due <= clock_timestamp()',
    tests: STATEMENTS,
  },
  {
    name: 'the clock acts on what is archived',
    breaks: 'Escrows of an archived workspace expire.',
    file: 'src/engine/tables.ts',
    from: 'where w.ended is null',
    to: 'where true',
    tests: STATEMENTS,
  },
  {
    name: 'stamps by the clock on the wall',
    breaks: 'What happens in a sandbox whose clock was set forward is dated before it.',
    file: 'src/engine/transaction.ts',
    from: 'clock_timestamp() + clock_offset as now',
    to: 'clock_timestamp() as now',
    tests: TROUBLE,
  },
  {
    name: 'an archived workspace takes commands',
    breaks: 'Money moves in a state of the sandbox that is gone.',
    file: 'src/engine/transaction.ts',
    from: 'const live = !ended && ',
    to: 'const live = ',
    tests: TROUBLE,
  },
];

export const engineDefects: readonly Defect[] = [...queue, ...again, ...decisions, ...statements];

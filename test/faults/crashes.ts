// How tests cut a server with kill -9 at a point of a call to the processor, start it again, ask
// once more under the same keys, and see everything end once.
import assert from 'node:assert/strict';
import type { Database } from '../../src/db/index.ts';
import { queueScript } from '../../src/sandbox/simulators/store/calls.ts';
import type { Api, Reply } from '../kit/api.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { readEscrow, type EscrowSeen } from '../kit/escrow.ts';
import { until } from '../kit/until.ts';
import { Victim } from './victim.ts';

const END_WITHIN_MS = 30_000;
/** Longer than the slow provider call that is cut. */
const TIMEOUT_MS = 2_500;

export type Operation = 'authorize' | 'capture' | 'remit';

/** A call to the platform that makes it ask the processor. */
export interface Case {
  readonly name: string;
  readonly operation: Operation;
  /** What is charged or paid out to. */
  readonly method: string;
  send(api: Api, key: string): Promise<Reply>;
  /** How its state is read, and what that must be. */
  readonly end: readonly [text: string, id: string];
  readonly state: string;
  /** What the processor moved for it in the end. */
  readonly lines: readonly string[];
}

/** A connection in a transaction; what it locks is free again after the kill. */
export type Lock = Awaited<ReturnType<Database['connection']>>;

const KEYS = `(select id::text as key, payment_method_id from attempt
  union all select id::text, payment_method_id from transfer) k`;

/** A server on a database of its own that is killed and started again. */
export class Crashes {
  readonly #base: TestDatabase;
  readonly #victim: Victim;
  /** Of the server as it runs now. */
  api: Api;

  private constructor(base: TestDatabase, victim: Victim, api: Api) {
    this.#base = base;
    this.#victim = victim;
    this.api = api;
  }

  /** Starts it with a rich integrator. */
  static async open(): Promise<Crashes> {
    const base = await testDatabase();
    const victim = new Victim({
      DATABASE_URL: base.url,
      HOLDFAST_PROCESSOR_TIMEOUT_MS: String(TIMEOUT_MS),
      HOLDFAST_ESCROW_WAIT_MS: '500',
    });
    const api = await victim.start();
    const body = { integrator: true, currency: 'USD', amount: 100_000 };
    await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body });
    return new Crashes(base, victim, api);
  }

  get db(): Database {
    return this.#base.db;
  }

  /** Pays an escrow; the answer may come before the outcome. */
  async paid(id: string): Promise<void> {
    await this.api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/pay`);
    await until('paid', async () => (await readEscrow(this.api, id)).status === 'ESCROWED');
  }

  async end(): Promise<void> {
    await this.#victim.end();
    await this.#base.drop();
  }

  /** Scripts the next provider call of each case. */
  async script(cases: readonly Case[], exchange: string): Promise<void> {
    const rows = await this.db.query<{ id: string; workspace: number; token: string }>({
      text: `select id, workspace, processor_token as token from payment_method
        where id = any($1::uuid[])`,
      values: [cases.map(({ method }) => method)],
    });
    for (const { id, workspace, token } of rows) {
      const operation = cases.find(({ method }) => method === id)?.operation ?? 'remit';
      const steps = [{ operation, exchange, times: 1, token }];
      await queueScript(this.db, 'processor', workspace, steps);
    }
  }

  /** The processor has counted the call of each case. */
  counted(cases: readonly Case[]): Promise<boolean> {
    return this.#each(cases, ({ operation }) => `select from processor_exchange e join ${KEYS}
      on k.key = e.key where k.payment_method_id = $1 and e.operation = '${operation}'`);
  }

  /** The processor has done what each case asks for. */
  done(cases: readonly Case[]): Promise<boolean> {
    return this.#each(cases, ({ operation }) =>
      operation === 'remit'
        ? `select from processor_transfer p join ${KEYS} on k.key = p.key
            where k.payment_method_id = $1 and p.state = 'paid'`
        : `select from processor_charge p join ${KEYS} on k.key = p.key
            where k.payment_method_id = $1
              and p.state = '${operation === 'capture' ? 'captured' : 'authorized'}'`,
    );
  }

  async #each(cases: readonly Case[], text: (one: Case) => string): Promise<boolean> {
    for (const one of cases) {
      const rows = await this.db.query({ text: text(one), values: [one.method] });
      if (rows.length === 0) return false;
    }
    return true;
  }

  /** True when at least so many of the server's statements wait for a lock. */
  async waiting(count: number): Promise<boolean> {
    const rows = await this.db.query<{ n: bigint }>(`select count(*) as n from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`);
    return Number(rows[0]?.n) >= count;
  }

  /** Asks, kills once the point is reached, starts again, and sees everything end. */
  async crash(
    cases: readonly Case[],
    reach: (lock: Lock, ask: () => void) => Promise<void>,
    leases: 'run out' | 'are waited for' = 'run out',
  ): Promise<void> {
    const key = ({ name, method }: Case): string => `${name} ${method}`;
    const lock = await this.db.connection();
    await lock.execute('begin');
    let asked: readonly Promise<Reply | null>[] = [];
    try {
      await reach(lock, () => {
        asked = cases.map((one) => one.send(this.api, key(one)).catch(() => null));
      });
      await this.#victim.kill('server');
    } finally {
      await lock.execute('rollback');
      lock.release();
    }
    const answers = await Promise.all(asked);
    this.api = await this.#victim.start();
    for (const [at, one] of cases.entries()) {
      const first = answers[at];
      const again = await one.send(this.api, key(one));
      const faults = this.#victim.faults().join('\n');
      assert.equal(again.status, 200, `${one.name}: ${again.text} ${faults}`);
      if (!first || (first.payload as EscrowSeen).status === 'OPEN') continue;
      assert.equal(again.text, first.text, one.name);
    }
    if (leases === 'run out') {
      for (const jobs of ['attempt_job', 'transfer_job']) {
        await this.db.execute(`update ${jobs} set leased_until = clock_timestamp()`);
      }
    }
    await this.#ended(cases);
  }

  async #ended(cases: readonly Case[]): Promise<void> {
    await settled(this.db, END_WITHIN_MS);
    for (const { name, method, end: [text, id], state, lines } of cases) {
      const look = (): Promise<{ state: string }[]> =>
        this.db.query<{ state: string }>({ text, values: [id] });
      // What the clock does comes by itself.
      await until(name, async () => (await look())[0]?.state === state, END_WITHIN_MS);
      await settled(this.db, END_WITHIN_MS);
      const rows = await this.db.query<{ kind: string }>({
        text: `select s.kind from processor_statement s join ${KEYS} on k.key = s.key
          where k.payment_method_id = $1 order by s.line`,
        values: [method],
      });
      assert.deepEqual(rows.map((row) => row.kind), lines, name);
    }
    await sealed(this.db);
    await reconciled(this.db);
    assert.deepEqual(this.#victim.faults(), []);
  }

  /** Kills while the processor's note of the calls waits: they are lost with it. [C6] */
  lost(cases: readonly Case[]): Promise<void> {
    return this.crash(cases, async (lock, ask) => {
      await lock.execute('lock table processor_exchange in exclusive mode');
      ask();
      await until('calls that wait', () => this.waiting(cases.length));
    });
  }

  /** Kills while calls are received with nothing done, others done and not answered. [C7, C8] */
  async cut(without: readonly Case[], after: readonly Case[]): Promise<void> {
    await this.script(without, 'timeout_before_effect');
    await this.script(after, 'timeout_after_effect');
    await this.crash([...without, ...after], async (_, ask) => {
      ask();
      await until('calls that hang', async () => {
        return (await this.counted(without)) && (await this.done(after));
      });
    });
  }

  /** Kills once answers were received and wait to be stored. [C9, C10] */
  async unstored(cases: readonly Case[]): Promise<void> {
    await this.script(cases, 'slow');
    const reach = async (lock: Lock, ask: () => void): Promise<void> => {
      ask();
      await until('calls that are slow', () => this.counted(cases));
      for (const table of ['attempt', 'transfer']) {
        await lock.query({
          text: `select from ${table} where payment_method_id = any($1::uuid[]) for update`,
          values: [cases.map(({ method }) => method)],
        });
      }
      await until('answers', async () => (await this.done(cases)) && (await this.waiting(1)));
    };
    await this.crash(cases, reach, 'are waited for');
  }
}

// A domain bench for tests: a migrated database, two workspaces, an engine, and operations called
// by id through their own schemas, in and out, so that each is held to what it declares.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import type { Database } from '../../src/db/index.ts';
import { loadMoves } from '../../src/engine/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { newUuid } from '../../src/core/ids.ts';
import { Lineages } from '../../src/core/lineages.ts';
import { JsonText } from '../../src/core/json-text.ts';
import type { Caller, CallerKind } from '../../src/core/operation.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { readInput } from '../../src/core/schema.ts';
import { open, seal } from '../../src/core/sealing.ts';
import { machines, proofs, recordKinds } from '../../src/catalogue.ts';
import { operations, refusals } from '../../src/sandbox/index.ts';
import type { SandboxServices } from '../../src/sandbox/services.ts';
import { runProofs } from '../../src/ledger/index.ts';
import type { Keys } from '../../src/providers/keys/port.ts';
import type { SandboxCards } from '../../src/sandbox/ports/cards.ts';
import { Records } from '../../src/outbox/index.ts';
import type { DomainOperation } from '../../src/product/context.ts';
import {
  createWorkspace,
  readLineages,
  workspaceDirectory,
  cacheInvalidation,
  type CreatedWorkspace,
} from '../../src/product/tenant/tenant/index.ts';
import { testDatabase } from './database.ts';
import { engineOn } from './engine.ts';

const MASTER = createHash('sha256').update('a master key for tests').digest();

const records = new Records(recordKinds);

/** The clones of workspaces that a test made. */
export const benchLines = new Lineages();

/** Keys that really wrap, under one fixed master key. */
export const benchKeys: Keys = {
  async wrap(key, context) {
    return seal(MASTER, systemRandom.bytes(12), key.toString('base64'), context);
  },
  async unwrap(wrapped, context) {
    return Buffer.from(open(MASTER, wrapped, context), 'base64');
  },
  mac: (purpose, text) => createHmac('sha256', `${purpose}/bench`).update(text).digest('hex'),
  lineageOf: (workspace) => benchLines.lineageOf(workspace),
};

/** Everything is configured. */
const benchProviders: SandboxServices['providers'] = {
  configured: async () => true,
  holdSeconds: async () => null,
  connection: async () => null,
};

/** A processor's cards and accounts, only made up. */
const benchCards: SandboxCards = {
  cards: [
    { name: 'visa', brand: 'visa', last4: '1111', outcome: 'Pays.' },
    { name: 'amex', brand: 'american-express', last4: '0005', outcome: 'Pays.' },
    { name: 'bank', brand: 'ach', last4: '6789', outcome: 'Pays.' },
    { name: 'paypal', brand: 'paypal', last4: '0001', outcome: 'Pays.' },
  ],
  async attach(workspace, name) {
    const card = benchCards.cards.find((one) => one.name === name);
    assert.ok(card);
    const { brand, last4 } = card;
    return { token: `card_${workspace}_${newUuid()}`, brand, last4 };
  },
  scenarios: [{ name: 'declined', story: 'It is declined.', ends: 'Failed.' }],
  play: async () => true,
  happen: async () => 'refused',
  agree: async () => true,
};

/** What a call carries besides its caller. */
export interface Input {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  /** An idempotency key. */
  readonly key?: string;
  readonly caller?: Caller;
}

/** An answer, or the refusal that was said instead. */
export interface Reply {
  readonly status: number;
  readonly code: string | null;
  readonly errors: Readonly<Record<string, string>>;
  readonly payload: unknown;
}

export interface Bench {
  readonly db: Database;
  readonly services: SandboxServices;
  readonly home: CreatedWorkspace;
  readonly other: CreatedWorkspace;
  /** Calls an operation by id, by default as a client of the home workspace. */
  call(id: string, input?: Input): Promise<Reply>;
  /** As `call`, and insists on success; gives the payload. */
  must<T>(id: string, input?: Input): Promise<T>;
  /** Registers an account and gives its wire id. */
  newAccount(username?: string): Promise<string>;
  /** A caller of a workspace. */
  caller(workspace: CreatedWorkspace, kind?: CallerKind, accountId?: string): Caller;
  /** Messages that wait to be sealed, by event name, oldest first. */
  events(name: string): Promise<Record<string, unknown>[]>;
  /** Every law of the books holds. */
  proved(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a bench on a database of its own. */
export async function openBench(currencies: readonly string[] = ['USD', 'EUR']): Promise<Bench> {
  const { db, drop } = await testDatabase();
  await loadMoves(db, machines, true);
  const home = await createWorkspace(db, { name: 'Home', currencies });
  const other = await createWorkspace(db, { name: 'Other', currencies });
  const faults: unknown[] = [];
  const services = makeServices(db, faults);
  const call = async (id: string, input: Input = {}): Promise<Reply> =>
    callOperation(services, id, input, input.caller ?? callerOf(home));
  const must = async <T>(id: string, input: Input = {}): Promise<T> => {
    const reply = await call(id, input);
    assert.equal(reply.code, null, `${id} was refused: ${reply.code}`);
    return reply.payload as T;
  };
  return {
    db,
    services,
    home,
    other,
    call,
    must,
    caller: callerOf,
    async newAccount(username = newUuid()) {
      const made = await must<{ account_id: string }>('registerAccount', { body: { username } });
      return made.account_id;
    },
    async events(event) {
      const rows = await db.query<{ message: string }>({
        text: 'select message from outbox where name = $1 order by at, resource_version',
        values: [event],
      });
      return rows.map((row) => JSON.parse(row.message) as Record<string, unknown>);
    },
    async proved() {
      const broken = (await runProofs(db, proofs)).filter((proof) => proof.breaches > 0);
      assert.deepEqual(broken, []);
      assert.deepEqual(faults, []);
    },
    async close() {
      await services.engine.stop();
      await drop();
    },
  };
}

function makeServices(db: Database, faults: unknown[]): SandboxServices {
  const engine = engineOn(db, db, {
    lineages: benchLines,
    workspacesEnd: true,
    compose: async (workspace, kind, id, version) =>
      (await records.compose(db, kind, [{ workspace, id, version }]))[0],
    fault: (error) => faults.push(error),
    queueTimeout: 30_000,
  });
  return {
    env: 'staging',
    db,
    engine,
    keys: benchKeys,
    random: systemRandom,
    workspaces: workspaceDirectory(db, { keepMs: 0, lineages: benchLines }),
    cacheInvalidation: cacheInvalidation({ db, read: () => readLineages(db, benchLines) }),
    cards: benchCards,
    reference: { machines, refusals },
    providers: benchProviders,
    policies: {
      payoutHoldSeconds: 3_600,
      escrowHoldSeconds: 90 * 86_400,
      escrowWaitMs: 1_000,
      bankFourEyesMinor: 1_000_000,
      reviewFourEyesMinor: 1_000_000,
      reviewMatches: false,
    },
  } as Partial<SandboxServices> as SandboxServices;
}

function callerOf(
  workspace: CreatedWorkspace,
  kind: CallerKind = 'client',
  accountId?: string,
): Caller {
  return { ...workspace, clientId: 'bench', kind, accountId: accountId ?? null, scopes: new Set() };
}

function hashed(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

async function callOperation(
  services: SandboxServices,
  id: string,
  input: Input,
  caller: Caller,
): Promise<Reply> {
  const operation = operations.find((one) => one.id === id);
  assert.ok(operation, `there is no operation ${id}`);
  const given = [input.params ?? {}, input.query ?? {}, input.body ?? {}] as const;
  const schemas = [operation.params, operation.query, operation.body] as const;
  const read: unknown[] = [];
  for (const [at, schema] of schemas.entries()) {
    if (schema === null) continue;
    const result = readInput(schema, given[at]);
    if (!result.ok) {
      return { status: 400, code: result.codes[0] ?? '', errors: result.errors, payload: null };
    }
    read[at] = result.value;
  }
  const idempotency =
    input.key === undefined
      ? null
      : { scope: hashed([caller.workspace, input.key]), fingerprint: hashed([id, ...given]) };
  const [params, query, body] = read;
  try {
    const request = { caller, params, query, body, idempotency, headers: {} };
    const { status, payload: made } = await operation.run(services, request);
    const payload = made instanceof JsonText ? made.parse() : made;
    checkDeclared(operation, status, payload);
    return { status, code: null, errors: {}, payload };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, status } = error.spec;
    const same = operation.refusals.filter((spec) => spec.code === code);
    const declared = same.some((spec) => spec.status === status);
    assert.ok(declared || code === 'IDEMPOTENCY_KEY_REUSED', `${id} does not declare ${code}`);
    return { status, code, errors: error.fields, payload: null };
  }
}

function checkDeclared(operation: DomainOperation, status: number, payload: unknown): void {
  const schema = operation.answers[status];
  assert.notEqual(schema, undefined, `${operation.id} does not declare ${status}`);
  if (schema === null) assert.equal(payload, undefined);
  else schema?.parse(payload);
}

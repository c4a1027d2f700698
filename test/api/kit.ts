// A running platform for one file of black-box tests: a child process on its own database, reached
// over HTTP only. The database is opened beside it to count rows, to create a second tenant and to
// sign tokens that the token endpoint never would.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileKeys } from '../../src/providers/keys/file.ts';
import type { Database, Queryable } from '../../src/db/index.ts';
import { createClient, SCOPE_NAMES, tokensOf } from '../../src/product/access/oauth/index.ts';
import type {
  ClientCredentials,
  OAuthServices,
  Tokens,
} from '../../src/product/access/oauth/index.ts';
import { createWorkspace } from '../../src/product/tenant/tenant/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import type { Keys } from '../../src/providers/keys/port.ts';
import { reconciled } from '../kit/books.ts';
import { productionDatabase, type TestDatabase } from '../kit/database.ts';
import type { Ready } from '../kit/api.ts';
import { dataFolder, faultsOf, sandboxDatabase, startNode } from '../kit/platform.ts';
import { CheckedApi, type ApiDocument } from './answers.ts';

/** A second tenant, made as an operator would. */
export interface Tenant {
  readonly workspace: number;
  readonly integrator: string;
  readonly client: ClientCredentials;
  /** A token with every scope. */
  readonly token: string;
}

/** The running platform. */
export interface Platform {
  readonly ready: Ready;
  /** Tokens of the same installation, to sign what the token endpoint never would. */
  readonly tokens: Tokens;
  /** Tokens that the same keys sign for production. */
  readonly productionTokens: Tokens;
  readonly keys: Keys;
  readonly keyFile: string;
  readonly db: Database;
  /** Of the database. */
  readonly url: string;
  readonly api: CheckedApi;
  tenant(currencies?: readonly string[]): Promise<Tenant>;
  /** A further client of the sandbox tenant. */
  client(scopes?: readonly string[]): Promise<ClientCredentials>;
  /** Once nothing is under way, one text for each table: its number of rows, and a sum of them. */
  rows(): Promise<Record<string, string>>;
  /** What it has logged. */
  log(): string;
  stop(): Promise<void>;
}

/** How a platform is started. */
export interface PlatformOptions {
  /** Further options of `start`. */
  readonly options?: readonly string[];
  readonly env?: 'staging' | 'production';
  /** Further settings by the names of the environment. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Done with the database before the process connects. */
  readonly before?: (base: TestDatabase) => Promise<void>;
}

/** Starts a platform as a process of its own. */
export async function startPlatform(wish: PlatformOptions = {}): Promise<Platform> {
  const env = wish.env ?? 'staging';
  const folder = dataFolder();
  const file = join(folder, 'keys.json');
  const base = env === 'staging' ? await sandboxDatabase(file) : await productionDatabase();
  const settings = {
    DATABASE_URL: base.served,
    HOLDFAST_DATA_DIR: folder,
    HOLDFAST_KEY_FILE: file,
    HOLDFAST_CHECK_ANSWERS: '1',
    ...wish.settings,
  };
  await wish.before?.(base);
  const node = await startNode(settings, ['--env', env, ...(wish.options ?? [])]);
  const stop = async (): Promise<void> => {
    node.child.kill('SIGTERM');
    await node.ended;
    try {
      assert.deepEqual(faultsOf(node.stderr()), [], 'the platform met no fault');
      await reconciled(base.db);
    } finally {
      await base.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  };
  try {
    const ready = (await node.ready()) as unknown as Ready;
    const keys = await fileKeys(settings.HOLDFAST_KEY_FILE);
    const { db } = base;
    const services = { env, db, keys, random: systemRandom, urls: ready.urls } as const;
    const api = new CheckedApi(ready, await documentsOf(ready));
    const { served: url } = base;
    const keyFile = settings.HOLDFAST_KEY_FILE;
    const made = { ready, url, keyFile, keys, db, api, log: () => node.stderr(), stop };
    return { ...(await parts(services, base.pool(1))), ...made };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Parts = Pick<Platform, 'tokens' | 'productionTokens' | 'tenant' | 'client' | 'rows'>;

async function parts(services: OAuthServices, other: Database): Promise<Parts> {
  const { db } = services;
  const tokens = await tokensOf(services);
  const [home] = await db.query<{ workspace: number }>(
    'select min(workspace) as workspace from workspace',
  );
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace order by relname`,
  );
  return {
    tokens,
    productionTokens: await tokensOf({ ...services, env: 'production', db: other }),
    async tenant(currencies = ['USD', 'EUR', 'GBP', 'JPY']) {
      const made = await createWorkspace(db, { name: 'Twin', currencies });
      const client = await createClient(services, {
        workspace: made.workspace,
        name: 'Twin',
        scopes: SCOPE_NAMES,
      });
      const { token } = await tokens.issue({
        client: { clientId: client.client_id, integrator: made.integrator },
        kind: 'client',
        accountId: null,
        scopes: SCOPE_NAMES,
        seconds: 3_600,
      });
      return { ...made, client, token };
    },
    client: (scopes = SCOPE_NAMES) =>
      createClient(services, { workspace: home?.workspace ?? 0, name: 'Further', scopes }),
    rows: () =>
      rowsOf(
        db,
        tables.map((table) => table.name),
      ),
  };
}

/** Tables that move by themselves: what the background keeps for itself. */
const RESTLESS: ReadonlySet<string> = new Set([
  'seal',
  ...['delivery', 'delivery_attempt', 'delivery_lane', 'receiver_exchange', 'receiver_request'],
  'integrator_balance',
  'integrator_credit',
  ...['processor_notice', 'processor_due', 'processor_notice_seen'],
  // Call counts of the simulators.
  ...['processor_exchange', 'vendor_exchange', 'sandbox_wait'],
  ...['vendor_notice', 'vendor_due', 'identity_job', 'identity_notice_seen'],
  ...['statement_cursor', 'statement_line'],
  // Notes of calls are written a moment after each, and no refused call changes anything else.
  'request_note',
  // Made of events, a moment after each.
  ...['mail', 'mail_cursor', 'captured_mail'],
  // Written once a second, whatever is asked.
  ...['heartbeat', 'node'],
  ...['audit_pending', 'audit_block', 'audit_line', 'audit_key'],
]);

/** Running background work, one text for each piece of work of an active workspace. */
export const UNDER_WAY = `select 'busy ' || name as name, '' as sum from (
  select 'outbox' as name, workspace from outbox union all select 'attempt', workspace
  from attempt_job
  union all select 'transfer', workspace from transfer_job
  union all select 'dispute answer', workspace from dispute_answer_job
  union all select 'check', workspace from identity_check where state = 'asking'
  union all select 'vendor notice', workspace from vendor_notice where remaining > 0
  and not ordinary
  union all select 'notice', workspace from processor_notice where remaining > 0 and not ordinary
    and due <= clock_timestamp()
  union all select 'identity', workspace from identity_job where due <= clock_timestamp()
  union all select 'comparison', workspace from match_job
  union all select 'statement', workspace from processor_statement s
    join statement_cursor c using (workspace)
    where s.line > case when c.cursor ~ '^[0-9]+$' then c.cursor::int8 else 0 end
  union all select 'line', workspace from statement_line where verdict = 'waiting'
  union all select 'move', workspace from kyc_moved) as work
  -- In a workspace that has ended everything stays as it was.
  where workspace not in (select workspace from workspace where ended is not null)`;

/** Waits until nothing is under way, nor what `also` selects; names it where it does not end. */
export async function atRest(db: Queryable, also: string, withinMs = 20_000): Promise<void> {
  const text = `${UNDER_WAY} union all ${also}`;
  for (const until = Date.now() + withinMs; ; await delay(10)) {
    const left = (await db.query<{ name: string }>(text)).map(({ name }) => name);
    if (left.length === 0) return;
    assert.ok(Date.now() < until, `after ${withinMs} ms: ${left.slice(0, 5).join(', ')}`);
  }
}

/** One statement looks at both, or work that begins between two of them would be a difference. */
async function rowsOf(db: Database, tables: readonly string[]): Promise<Record<string, string>> {
  const sums = tables
    // Rows in snapshot storage belong to a row of `snapshot`.
    .filter((table) => !RESTLESS.has(table) && !table.startsWith('stored_'))
    .map(
      (table) =>
        `select '${table}' as name, count(*) || ':' || coalesce(sum(hashtext(t::text)), 0) as sum
          from ${table} t`,
    );
  const text = [...sums, UNDER_WAY].join(' union all ');
  for (;;) {
    const rows = await db.query<{ name: string; sum: string }>(text);
    if (!rows.some(({ name }) => name.startsWith('busy '))) {
      return Object.fromEntries(rows.map((row) => [row.name, row.sum]));
    }
    await delay(10);
  }
}

async function documentsOf(ready: Ready): Promise<Record<string, ApiDocument>> {
  const entries = Object.entries(ready.urls).map(async ([host, url]) => {
    const answer = await fetch(`${url}/openapi.json`);
    assert.equal(answer.status, 200, `${host} describes itself`);
    return [host, (await answer.json()) as ApiDocument] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

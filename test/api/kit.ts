// One running platform for a file of black-box tests: a child process on a database of its own,
// reached over HTTP only. The database is opened beside it to count rows, to make a second tenant
// and to sign tokens that the token endpoint never would. Knows no operation's meaning.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileKeys } from '../../src/adapters/file-keys.ts';
import { testServer } from '../../src/db/embedded/test-server.ts';
import { Database } from '../../src/db/index.ts';
import { createClient, SCOPE_NAMES, tokensOf } from '../../src/domain/oauth/index.ts';
import type { ClientCredentials, OAuthServices, Tokens } from '../../src/domain/oauth/index.ts';
import { createWorld } from '../../src/domain/tenant/index.ts';
import { systemEntropy } from '../../src/kernel/entropy.ts';
import { Api, type ApiDocument } from './answers.ts';
import type { Ready } from './records.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const READY_WITHIN_MS = 60_000;
const GONE_WITHIN_MS = 15_000;

/** A second tenant, made as an operator would. */
export interface Tenant {
  readonly world: number;
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
  readonly db: Database;
  readonly api: Api;
  tenant(currencies?: readonly string[]): Promise<Tenant>;
  /** A further client of the sandbox tenant. */
  client(scopes?: readonly string[]): Promise<ClientCredentials>;
  /** Once events are sealed, one text for each table: its number of rows, and a sum over them. */
  rows(): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a platform; `extra` are further options of `start`. */
export async function startPlatform(extra: readonly string[] = []): Promise<Platform> {
  const server = await testServer();
  const admin = new Database({ url: server.url, max: 1 });
  const name = `api_${randomBytes(6).toString('hex')}`;
  await admin.execute(`create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-api-'));
  const keyFile = join(folder, 'keys.json');
  const child = start(url.href, keyFile, extra);
  const db = new Database({ url: url.href, max: 4 });
  const other = new Database({ url: url.href, max: 1 });
  const stop = async (): Promise<void> => {
    await ended(child);
    await other.close();
    await db.close();
    await admin.execute(`drop database if exists ${name} with (force)`);
    await admin.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const ready = (await firstLine(child)) as Ready;
    const keys = fileKeys(keyFile);
    const services = {
      env: 'staging',
      db,
      keys,
      entropy: systemEntropy,
      urls: ready.urls,
    } as const;
    const api = new Api(ready, await documentsOf(ready));
    return { ...(await parts(services, other)), ready, db, api, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Parts = Pick<Platform, 'tokens' | 'productionTokens' | 'tenant' | 'client' | 'rows'>;

async function parts(services: OAuthServices, other: Database): Promise<Parts> {
  const { db } = services;
  const tokens = await tokensOf(services);
  const [home] = await db.query<{ world: number }>('select min(world) as world from world');
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace order by relname`,
  );
  return {
    tokens,
    productionTokens: await tokensOf({ ...services, env: 'production', db: other }),
    async tenant(currencies = ['USD', 'EUR', 'GBP', 'JPY']) {
      const made = await createWorld(db, { name: 'Twin', currencies });
      const client = await createClient(services, {
        world: made.world,
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
      createClient(services, { world: home?.world ?? 0, name: 'Further', scopes }),
    rows: () =>
      rowsOf(
        db,
        tables.map((table) => table.name),
      ),
  };
}

/** Tables that move by themselves: what the background keeps for itself. */
const RESTLESS: ReadonlySet<string> = new Set(['seal', 'delivery_lane']);

async function rowsOf(db: Database, tables: readonly string[]): Promise<Record<string, string>> {
  while ((await db.query('select 1 from outbox limit 1')).length > 0) await delay(10);
  const text = tables
    .filter((table) => !RESTLESS.has(table))
    .map(
      (table) =>
        `select '${table}' as name, count(*) || ':' || coalesce(sum(hashtext(t::text)), 0) as sum
          from ${table} t`,
    )
    .join(' union all ');
  const rows = await db.query<{ name: string; sum: string }>(text);
  return Object.fromEntries(rows.map((row) => [row.name, row.sum]));
}

function start(databaseUrl: string, keyFile: string, extra: readonly string[]): ChildProcess {
  const base = 20_000 + (process.pid % 900) * 12;
  const args = ['src/main.ts', 'start', '--json', '--ephemeral', '--port-base', String(base)];
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: tmpdir(),
    DATABASE_URL: databaseUrl,
    HOLDFAST_KEY_FILE: keyFile,
    HOLDFAST_CHECK_ANSWERS: '1',
  };
  return spawn(process.execPath, [...args, ...extra], {
    cwd: CHECKOUT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  });
}

function firstLine(child: ChildProcess): Promise<unknown> {
  return new Promise((done, fail) => {
    let out = '';
    let err = '';
    const timer = setTimeout(() => fail(new Error(`not ready in time: ${err}`)), READY_WITHIN_MS);
    child.stderr?.on('data', (chunk: Buffer) => {
      err = (err + chunk.toString()).slice(-4_000);
      // Faults of the platform belong in the report of the run.
      if (err.includes('"fault"')) process.stderr.write(chunk);
    });
    child.once('exit', (code) => fail(new Error(`ended with ${code}: ${err}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (!out.includes('\n')) return;
      clearTimeout(timer);
      done(JSON.parse(out.slice(0, out.indexOf('\n'))));
    });
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), GONE_WITHIN_MS);
  await gone;
  clearTimeout(timer);
}

async function documentsOf(ready: Ready): Promise<Record<string, ApiDocument>> {
  const entries = Object.entries(ready.urls).map(async ([host, url]) => {
    const answer = await fetch(`${url}/openapi.json`);
    assert.equal(answer.status, 200, `${host} describes itself`);
    return [host, (await answer.json()) as ApiDocument] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

// A real auth host on its own database, for token tests: two tenants with a client each, and two
// accounts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { Database } from '../../src/db/index.ts';
import { testServer } from '../../src/db/embedded/test-server.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Services } from '../../src/product/context.ts';
import {
  createClient,
  SCOPE_NAMES,
  tokensOf,
} from '../../src/product/access/oauth/index.ts';
import type { ClientCredentials, Tokens } from '../../src/product/access/oauth/index.ts';
import { operations } from '../../src/product/access/oauth/api.ts';
import { startHosts } from '../../src/http/hosts.ts';
import { systemRandom } from '../../src/core/random.ts';
import { accountId } from '../../src/core/ids.ts';
import { logged } from './kit.ts';

/** Everything that a test of tokens needs. */
export interface OAuthKit {
  readonly services: Services;
  readonly auth: string;
  /** The tokens of the process under test. */
  readonly tokens: Tokens;
  readonly client: ClientCredentials;
  /** A client of another tenant. */
  readonly stranger: ClientCredentials;
  readonly workspace: number;
  /** Wire ids. */
  readonly account: string;
  readonly blockedAccount: string;
  readonly strangersAccount: string;
  stop(): Promise<void>;
}

async function makeWorkspace(db: Database): Promise<number> {
  const integrator = systemRandom.uuid();
  const tenant = { text: "insert into tenant values ($1, 'test')", values: [integrator] };
  await db.execute(tenant);
  const [row] = await db.query<{ workspace: number }>({
    text: 'insert into workspace (integrator) values ($1) returning workspace',
    values: [integrator],
  });
  return (row as { workspace: number }).workspace;
}

async function makeAccount(db: Database, workspace: number, blocked: boolean): Promise<string> {
  const id = systemRandom.uuid();
  await db.execute({
    text: 'insert into account values ($1, $2, $3, $4, now(), now())',
    values: [workspace, id, id, blocked],
  });
  return accountId(id);
}

/** Starts the kit; stop it in the end. */
export async function startOAuth(env: 'staging' | 'production' = 'staging'): Promise<OAuthKit> {
  const server = await testServer();
  const admin = new Database({ url: server.url, max: 1 });
  const name = `oauth_${systemRandom.bytes(6).toString('hex')}`;
  await admin.execute(`create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const db = new Database({ url: url.href, max: 4 });
  await migrate(db, new URL('../../migrations/', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-oauth-'));
  const keys = await fileKeys(join(folder, 'keys.json'));
  const workspace = await makeWorkspace(db);
  const other = await makeWorkspace(db);
  const base = { env, db, keys, random: systemRandom, word: 'service' };
  let services = base as unknown as Services;
  let tokens: Tokens | undefined;
  const hosts = await startHosts<Services>({
    env,
    operations,
    platform: async (urls) => {
      services = { ...base, urls } as unknown as Services;
      tokens = await tokensOf(services);
      const verify = (token: string) => (tokens as Tokens).verify(token);
      return { services, verify, secret: 's', ready: () => true };
    },
    log: { requests: true, write: (entry) => void logged.push(JSON.stringify(entry)) },
    portBase: 0,
    graceMs: 1_000,
    checkAnswers: true,
  });
  const make = (of: number) =>
    createClient(services, { workspace: of, name: 'x', scopes: SCOPE_NAMES });
  return {
    services,
    auth: hosts.urls.auth,
    tokens: tokens as Tokens,
    client: await make(workspace),
    stranger: await make(other),
    workspace,
    account: await makeAccount(db, workspace, false),
    blockedAccount: await makeAccount(db, workspace, true),
    strangersAccount: await makeAccount(db, other, false),
    stop: async () => {
      await hosts.stop();
      await db.close();
      await admin.execute(`drop database ${name} with (force)`);
      await admin.close();
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Any JSON object of an answer: a test reads a member as what it expects it to be. */
export interface Members {
  readonly [name: string]: string & Members;
}

/** Posts a form and reads the answer. */
export async function postForm(
  url: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: Members }> {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });
  const text = await answer.text();
  const parsed = text === '' ? {} : (JSON.parse(text) as Members);
  return { status: answer.status, headers: answer.headers, body: parsed };
}

/** Posts JSON with a bearer token. */
export async function postJson(
  url: string,
  body: unknown,
  token: string | null = null,
): Promise<{ status: number; headers: Headers; body: Members }> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token !== null) headers['authorization'] = `Bearer ${token}`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  const parsed = text === '' ? {} : (JSON.parse(text) as Members);
  return { status: answer.status, headers: answer.headers, body: parsed };
}

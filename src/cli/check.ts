// `holdfast check`: tries what an installation depends on, by calls that change nothing, and says
// what is missing and what to do. Exit code 1 if something is.
import type { Command } from 'commander';
import { ALONE, archiveOf, crowded, isFinished, isSynchronous } from '../db/index.ts';
import { roleFacts, roomOf } from '../db/index.ts';
import { UNFINISHED, verifiesServer, type Database } from '../db/index.ts';
import { stopsNow } from '../product/tenant/stop/index.ts';
import { countByVersion } from '../product/people/retention/index.ts';
import { connectionsOf, noticeUrl, standing } from '../product/tenant/provider/index.ts';
import type { StoredConnection } from '../providers/port.ts';
import { ToldFailure, type CommandContext, type Installation } from './context.ts';
import { addVerb, withInstallation, type VerbArguments } from './installation.ts';
import { paintOf } from './terminal.ts';

/** What was found about one part. `none`: a choice, and what follows from it. */
interface Finding {
  readonly part: string;
  readonly state: 'ok' | 'none' | 'missing';
  readonly says: string;
}

const ANSWER_MS = 10_000;
/** Tokens of a process are valid from a minute before by the clock of another. [OP3] */
const CLOCK_SECONDS = 10;
/** Hosts that integrators, people and providers reach. */
const PUBLIC_HOSTS = [
  ...['pii', 'invoicing', 'payments', 'auth', 'widget', 'hosted', 'console', 'accounts'],
  'wallets',
] as const;

/** Adds the command `check`. */
export function addCheck(program: Command, context: CommandContext): void {
  addVerb(program, 'check', 'try database, keys, addresses and providers; say what is missing')
    .action(async (given: VerbArguments) => {
      const verifies = verifiesServer(context.environment['DATABASE_URL'] ?? '');
      const findings = await withInstallation(given.env, context, false, (installation) => {
        return checkAll(installation, verifies);
      }).catch((error: unknown) => [missing('installation', sentenceOf(error))]);
      const count = findings.filter(({ state }) => state === 'missing').length;
      if (given.json === true) {
        context.print(`${JSON.stringify({ ok: count === 0, findings })}\n`);
      } else {
        context.print(report(findings, context.colours));
      }
      if (count > 0) throw new ToldFailure(`${count} of ${findings.length} checks failed.`);
    });
}

async function checkAll(installation: Installation, verifies: boolean): Promise<Finding[]> {
  const schema = await checkSchema(installation);
  const first = [...(await checkDatabase(installation, verifies)), schema];
  // What follows reads tables that the schema may not have yet.
  if (schema.state === 'missing') return first;
  const { db, keys, env } = installation;
  const connections = await connectionsOf(db, keys, null);
  const chosen = (await standing(db, env)).map(({ kind, has, means }): Finding => {
    return { part: kind, state: has.startsWith('none') ? 'none' : 'ok', says: `${has}: ${means}` };
  });
  return [
    ...first,
    ...(await checkOperation(installation)),
    await checkKeys(installation),
    checkAddresses(installation),
    await checkSignOn(installation),
    await checkMail(installation),
    ...chosen,
    ...(await Promise.all(connections.map((one) => checkConnection(installation, one)))).flat(),
  ];
}

interface DatabaseFacts {
  readonly version: string;
  readonly major: number;
  readonly tls: boolean;
  readonly here: boolean;
  readonly seconds: number;
}

async function checkDatabase(
  { db, env }: Installation,
  verifies: boolean,
): Promise<Finding[]> {
  const before = Date.now();
  const [row] = await db.query<DatabaseFacts>(
    `select current_setting('server_version') as version,
      current_setting('server_version_num')::int / 10000 as major,
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as tls,
      coalesce(inet_server_addr() <<= any (array[inet '127.0.0.0/8', '::1']), true) as here,
      extract(epoch from clock_timestamp())::float8 as seconds`,
  );
  if (row === undefined) return [missing('database', 'It does not answer.')];
  const { version, major, tls, here, seconds } = row;
  const { name, owns } = await roleFacts(db);
  const apart = Math.round(Math.abs(seconds - (before + Date.now()) / 2_000));
  const strict = env === 'production';
  return [
    finding('database', major >= 15, `PostgreSQL ${version}`, 'Use version 15 or later.'),
    { part: 'connection', ...checkEncryption(tls, tls ? verifies : here, strict) },
    {
      part: 'role',
      state: !owns ? 'ok' : strict ? 'missing' : 'none',
      says: owns
        ? `${name} could rewrite history: give the server a role that owns nothing`
        : `${name}, which owns nothing`,
    },
    finding(
      'clock',
      apart <= CLOCK_SECONDS,
      `within ${CLOCK_SECONDS} s of the database`,
      `${apart} s from the database: synchronize the clocks of both machines.`,
    ),
  ];
}

/** `known`: the server has proven who it is, or is on this machine. */
function checkEncryption(
  tls: boolean,
  known: boolean,
  strict: boolean,
): Pick<Finding, 'state' | 'says'> {
  if (tls && known) return { state: 'ok', says: 'encrypted by TLS, and the server is verified' };
  if (known) return { state: 'ok', says: 'on this machine' };
  const lacks = tls ? 'encrypted by TLS, but the server is not verified' : 'not encrypted';
  const says = `${lacks}: add sslmode=verify-full to DATABASE_URL`;
  return { state: strict ? 'missing' : 'none', says };
}

/** Whether its nodes have room, and whether a lost host of the database loses commits. */
async function checkOperation({ db, nodeConnections }: Installation): Promise<Finding[]> {
  const room = await roomOf(db);
  const full = crowded(room, nodeConnections);
  const says = `${room.connections}; a node opens up to ${nodeConnections}`;
  const isSafe = await isSynchronous(db);
  const stops = (await stopsNow(db)).map(({ what, integrator }) => {
    return `${what} of ${integrator ?? 'all'}`;
  });
  return [
    finding('connections', full === null, says, full ?? ''),
    {
      part: 'standby',
      state: isSafe ? 'ok' : 'none',
      says: isSafe ? 'every commit is on a standby too' : ALONE,
    },
    await checkArchive(db),
    (await isFinished(db))
      ? { part: 'upgrade', state: 'ok', says: 'finished' }
      : { part: 'upgrade', state: 'none', says: UNFINISHED },
    { part: 'nodes', state: room.nodes > 1 ? 'ok' : 'none', says: `${room.nodes} running` },
    {
      part: 'stops',
      state: stops.length > 0 ? 'none' : 'ok',
      says: stops.length > 0 ? `stopped: ${stops.join(', ')}` : 'nothing is stopped',
    },
  ];
}

/** Whether the write-ahead log reaches its archive: without it nothing is restored to a moment. */
async function checkArchive(db: Database): Promise<Finding> {
  const archive = await archiveOf(db);
  if (archive === null) {
    const says = 'off: a restore loses what was written since the dump';
    return { part: 'archive', state: 'none', says };
  }
  const says = `last at ${archive.last ?? 'no time yet'}`;
  return finding('archive', !archive.fails, says, `It fails, ${says}: see the log of PostgreSQL.`);
}

async function checkSchema({ schemaIs }: Installation): Promise<Finding> {
  try {
    const newer = await schemaIs();
    const own = 'of this release, with its legal moves';
    const says = newer.length === 0 ? own : `newer, and this release works on it: ${newer.join()}`;
    return { part: 'schema', state: 'ok', says };
  } catch (error) {
    return missing('schema', sentenceOf(error));
  }
}

async function checkKeys({ db, versions, wrapped: columns }: Installation): Promise<Finding> {
  const { current, all, kms } = await versions.list();
  const counts = await countByVersion({ db, columns });
  const lost = [...counts.keys()].filter((version) => !all.includes(version));
  const says = `The key file lacks ${lost.join(', ')}: restore it from a backup.`;
  const well = `complete; ${current} wraps new keys${kms === null ? '' : `, unwrapped by ${kms}`}`;
  return finding('key file', lost.length === 0, well, says);
}

function checkAddresses({ env, urls }: Installation): Finding {
  const open = PUBLIC_HOSTS.filter((host) => !urls[host]?.startsWith('https://'));
  if (env === 'staging') return { part: 'addresses', state: 'none', says: 'a sandbox needs none' };
  const settings = open.map((host) => `HOLDFAST_URL_${host.toUpperCase()}`).join(', ');
  const says = `Set the public https addresses: ${settings}.`;
  return finding('addresses', open.length === 0, 'public, over https', says);
}

/** Whether the identity provider of the console answers as the issuer that was configured. */
async function checkSignOn({ signOn, urls }: Installation): Promise<Finding> {
  const part = 'single sign-on';
  const none = 'none: operators sign in by password and code';
  if (signOn === null) return { part, state: 'none', says: none };
  const wrong = await signOn.trouble();
  const well = `${signOn.issuer} answers; it returns to ${urls['console'] ?? ''}/sign-in/back`;
  return finding(part, wrong === null, well, `${signOn.issuer}: ${wrong ?? ''}`);
}

/** Whether the mail server lets us in; no mail is sent. */
async function checkMail({ mailServer: mail }: Installation): Promise<Finding> {
  const part = 'mail';
  if (mail === null) return { part, state: 'none', says: 'none: nobody is mailed' };
  const why = (await mail.trouble()) ?? '';
  const says = MAIL_TROUBLES[why] ?? `It answers with ${why}.`;
  return finding(part, why === '', `${mail.host} lets us in`, `${mail.host}: ${says}`);
}

const MAIL_TROUBLES: Readonly<Record<string, string>> = {
  login: 'It refuses the login. Correct the user or the password file.',
  password_file: 'The password file is not there.',
  certificate: 'Its certificate is not trusted.',
  tls: 'It offers no TLS.',
  name_not_resolved: 'Nobody knows a host of this name.',
  timeout: 'It does not answer.',
  connection: 'It cannot be reached.',
};

/** The provider's own check, and whether its webhooks can arrive. */
async function checkConnection(
  { env, urls, tryConnection, providers, policies }: Installation,
  connection: StoredConnection,
): Promise<Finding[]> {
  const { integrator, kind, provider, id } = connection;
  const part = `${provider} of ${integrator}`;
  const wrong = await tryConnection(connection);
  const answers = 'answers, and takes the credentials';
  const own = finding(part, wrong.length === 0, answers, wrong.join(' '));
  const webhooks = await checkWebhooks(`webhooks of ${part}`, noticeUrl(urls, kind, id), env);
  const row = providers.find((one) => one.kind === kind && one.name === provider);
  if (row?.holdDays === undefined) return [own, webhooks];
  const days = Math.min(row.holdDays, policies.escrowHoldSeconds / 86_400);
  const says = `${days} days at most; the processor lets money wait for ${row.holdDays}`;
  return [own, webhooks, { part: `escrows of ${part}`, state: 'ok', says }];
}

async function checkWebhooks(
  part: string,
  url: string,
  env: Installation['env'],
): Promise<Finding> {
  if (URL.canParse(url)) {
    const why = await reached(url);
    return finding(part, why === null, `${url} answers`, `${url}: ${why ?? ''}`);
  }
  const state = env === 'production' ? 'missing' : 'none';
  return { part, state, says: 'The host that takes them has no public address.' };
}

/** What keeps a webhook from arriving; null if nothing. Without a signature it is refused. */
async function reached(url: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const asked = { method: 'POST', body: '{}', redirect: 'manual', signal } as const;
    const { status } = await fetch(url, asked);
    return status === 401 ? null : `It answers ${status} instead of 401. Is it forwarded to us?`;
  } catch {
    return 'It does not answer. Is the service running, and the address public?';
  }
}

function finding(part: string, isWell: boolean, well: string, otherwise: string): Finding {
  return isWell ? { part, state: 'ok', says: well } : missing(part, otherwise);
}

function missing(part: string, says: string): Finding {
  return { part, state: 'missing', says };
}

function sentenceOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'It cannot be opened.';
}

/** Parts that name a tenant are longer. */
const WIDTH = 15;

function report(findings: readonly Finding[], colours: boolean): string {
  const { green, red, dim } = paintOf(colours);
  const paint = { ok: green, none: dim, missing: red };
  const lines = findings.map(({ part, state, says }) => {
    const named = part.length < WIDTH ? part.padEnd(WIDTH) : `${part}: `;
    return `${paint[state](state.padEnd(7))}  ${named}${says}\n`;
  });
  return lines.join('');
}

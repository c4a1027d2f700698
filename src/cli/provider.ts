// `holdfast provider`: which card processor or identity vendor works for a tenant. Credentials come
// from a file or standard input, never from an argument, and are printed nowhere. [G-90]
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { unanswered } from '../product/money/wallet/index.ts';
import {
  addressesFor,
  connectionsOf,
  connectProvider,
  disconnectProvider,
  noticeUrl,
  type NewConnection,
} from '../product/tenant/provider/index.ts';
import { openProcessorFunds } from '../product/money/treasury/index.ts';
import { workspaceDirectory } from '../product/tenant/tenant/index.ts';
import {
  PROVIDER_KINDS,
  readCredentials,
  type Provider,
  type ProviderKind,
} from '../providers/port.ts';
import type { CommandContext, Installation } from './context.ts';
import {
  addVerb,
  printRecord,
  withInstallation,
  workspaceNamed,
  type VerbArguments,
} from './installation.ts';
import { unknownName } from './suggestion.ts';

interface KindArguments extends VerbArguments {
  readonly integrator: string;
  readonly kind: string;
}

interface RemoveArguments extends KindArguments {
  readonly force?: boolean;
}

interface SetArguments extends KindArguments {
  readonly provider: string;
  readonly credentials: string;
  readonly baseUrl?: string;
}

const ACTOR = 'operator';
const TENANT = "the tenant's id, as printed by tenant create";
const BASE_URL_MAX = 2_048;
/** Milliseconds for the provider to say whose account it is. */
const MERCHANT_MS = 5_000;

/** Adds the commands below `provider`. */
export function addProvider(program: Command, context: CommandContext): void {
  const provider = program.command('provider').description('choose who works for a tenant');
  addVerb(provider, 'set', 'connect a tenant to a provider, or replace its credentials')
    .requiredOption('--integrator <id>', TENANT)
    .requiredOption('--kind <kind>', PROVIDER_KINDS.join(' or '))
    .requiredOption('--provider <name>', 'its name; a wrong one prints those that there are')
    .requiredOption('--credentials <file>', 'a JSON object in this file; - reads standard input')
    .option('--base-url <url>', "instead of the provider's own address; https, or on this machine")
    .action((given: SetArguments) => set(given, context));
  addVerb(provider, 'list', 'list the connections of a tenant, or of all')
    .option('--integrator <id>', TENANT)
    .action((given: Partial<KindArguments>) => list(given, context));
  addVerb(provider, 'remove', 'remove a connection with its credentials')
    .requiredOption('--integrator <id>', TENANT)
    .requiredOption('--kind <kind>', PROVIDER_KINDS.join(' or '))
    .option('--force', 'even where payments wait for its answer')
    .action((given: RemoveArguments) => remove(given, context));
}

async function set(given: SetArguments, context: CommandContext): Promise<void> {
  const kind = readKind(given.kind);
  const base_url = readBaseUrl(given.baseUrl);
  const text = readFile(given.credentials);
  const record = await withInstallation(given.env, context, true, async (installation) => {
    const { db, engine, env, urls } = installation;
    const workspace = await workspaceNamed(db, given.integrator);
    const chosen = await loadProvider(installation, kind, given.provider);
    const credentials = readCredentials(chosen, env, parsed(text));
    const mode = chosen.modeOf(credentials);
    const named = { workspace, kind, provider: given.provider, base_url };
    const merchant = await merchantOf(installation, chosen, { ...named, credentials });
    const connection = { ...named, mode, credentials, merchant };
    if (kind === 'processor') {
      // Before the connection: a payout that it is asked for finds the funds open.
      const currencies = await workspaceDirectory(db).currencies(workspace);
      await openProcessorFunds(engine, currencies.keys(), { workspace, actor: ACTOR });
    }
    const id = await connectProvider(installation, connection, ACTOR);
    const shown = { integrator: given.integrator, kind, provider: given.provider, mode };
    return { ...shown, base_url: base_url ?? '', webhooks: noticeUrl(urls, kind, id) };
  });
  printRecord(context, record, given.json);
  context.say('Running processes follow within seconds. `holdfast check` tries the connection.');
}

async function list(given: Partial<KindArguments>, context: CommandContext): Promise<void> {
  const found = await withInstallation(given.env, context, true, async ({ db, keys, urls }) => {
    const { integrator } = given;
    const workspace = integrator === undefined ? null : await workspaceNamed(db, integrator);
    const rows = await connectionsOf(db, keys, workspace);
    return rows.map(({ kind, provider, base_url, id, ...of }) => ({
      ...{ integrator: of.integrator, kind, provider, base_url: base_url ?? '' },
      webhooks: noticeUrl(urls, kind, id),
    }));
  });
  if (given.json === true) context.print(`${JSON.stringify({ connections: found })}\n`);
  else if (found.length === 0) context.print('No tenant is connected to a provider.\n');
  else for (const record of found) printRecord(context, record, false);
}

async function remove(given: RemoveArguments, context: CommandContext): Promise<void> {
  const kind = readKind(given.kind);
  await withInstallation(given.env, context, true, async ({ db }) => {
    const workspace = await workspaceNamed(db, given.integrator);
    const waiting = kind === 'processor' && !given.force ? await unanswered(db, workspace) : 0;
    if (waiting > 0) throw new Error(`${waiting} ${UNANSWERED}`);
    if (await disconnectProvider(db, { workspace, kind }, ACTOR)) return;
    throw new Error(`The tenant has no ${kind} provider.`);
  });
  printRecord(context, { integrator: given.integrator, kind, provider: 'none' }, given.json);
}

const UNANSWERED =
  'payments, refunds or payouts wait for an answer of this provider, whom nobody could ask. ' +
  'Remove it when they have ended, or give --force.';

/** Whose account credentials open, as the provider says; null where it does not. */
async function merchantOf(
  { urls }: Installation,
  chosen: Provider<ProviderKind>,
  to: Pick<NewConnection, 'workspace' | 'kind' | 'base_url' | 'credentials'>,
): Promise<string | null> {
  const { workspace, credentials, base_url: baseUrl } = to;
  const ours = { noticeUrl: noticeUrl(urls, to.kind, ''), returnUrl: addressesFor(urls).returnUrl };
  const settings = { workspace, credentials, baseUrl, ...ours, timeoutMs: MERCHANT_MS };
  const connected = chosen.connect(settings);
  return (connected.merchant?.() ?? Promise.resolve(null)).finally(() => connected.close());
}

function readKind(text: string): ProviderKind {
  const kind = PROVIDER_KINDS.find((one) => one === text);
  if (kind !== undefined) return kind;
  throw new Error(`--kind takes ${PROVIDER_KINDS.join(' or ')}, not ${text}.`);
}

async function loadProvider(
  { providers }: Installation,
  kind: ProviderKind,
  name: string,
): Promise<Provider<ProviderKind>> {
  const rows = providers.filter((row) => row.kind === kind);
  const row = rows.find((one) => one.name === name);
  if (row !== undefined) return (await row.load()).provider;
  if (rows.length === 0) throw new Error(`This release has no ${kind} provider.`);
  throw new Error(unknownName('provider', name, rows.map((one) => one.name)));
}

/** An address that credentials may be sent to: over TLS, or on this machine. */
function readBaseUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.parse(text);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere);
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (isSafe && isPlain && text.length <= BASE_URL_MAX) return text.replace(/\/$/, '');
  throw new Error('--base-url must be an https URL, or one of this machine, without credentials.');
}

function readFile(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch {
    throw new Error('The file with the credentials cannot be read.');
  }
}

/** The parser's own error would quote the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error('The credentials must be a JSON object, such as {"secret_key": "..."}.');
  }
}

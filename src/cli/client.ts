// `holdfast client`: clients that may request tokens. [G-04] A secret is shown once; the oauth
// module stores its hash.
import type { Command } from 'commander';
import {
  createClient,
  isScope,
  rotateSecret,
  scopesIn,
  setClientDisabled,
} from '../product/access/oauth/index.ts';
import type { Queryable } from '../db/index.ts';
import { isUuid } from '../core/ids.ts';
import { planData } from './arguments.ts';
import type { CommandContext } from './context.ts';
import {
  addVerb,
  printRecord,
  withInstallation,
  workspaceNamed,
  type VerbArguments,
} from './installation.ts';
import { readName } from './tenant.ts';

interface CreateArguments extends VerbArguments {
  readonly integrator: string;
  readonly name: string;
  readonly scopes: string;
}

interface ClientArguments extends VerbArguments {
  readonly clientId: string;
}

interface RotateArguments extends ClientArguments {
  readonly overlapHours: string;
}

const SECONDS_PER_HOUR = 3600;
/** A month: a longer overlap would mean two secrets rather than a rotation. */
const LONGEST_OVERLAP_HOURS = 720;
const CLIENT_ID = "the client's id, as printed by client create";
const SHOWN_ONCE = 'The secret is shown only once: store it where only your server can read it.';

/** Adds the commands below `client`. */
export function addClient(program: Command, context: CommandContext): void {
  const client = program.command('client').description('manage API clients');
  addVerb(client, 'create', 'create an API client for a tenant; prints its secret once')
    .requiredOption('--integrator <id>', "the tenant's id, as printed by tenant create")
    .requiredOption('--name <name>', 'a name for your own use')
    .requiredOption('--scopes <names>', 'scopes, separated by commas or spaces, or all')
    .action((given: CreateArguments) => create(given, context));
  addVerb(client, 'rotate', 'give a client a new secret; the old one stays valid for a while')
    .requiredOption('--client-id <id>', CLIENT_ID)
    .option('--overlap-hours <n>', 'how many hours the old secret stays valid', '24')
    .action((given: RotateArguments) => rotate(given, context));
  addVerb(client, 'disable', 'refuse a client and its tokens from now on')
    .requiredOption('--client-id <id>', CLIENT_ID)
    .action((given: ClientArguments) => setDisabled(given, context, true));
  addVerb(client, 'enable', 'take a disabled client and its tokens again')
    .requiredOption('--client-id <id>', CLIENT_ID)
    .action((given: ClientArguments) => setDisabled(given, context, false));
}

async function create(given: CreateArguments, context: CommandContext): Promise<void> {
  const name = readName('--name', given.name);
  const { env } = planData(given.env, context.environment, context.home);
  const scopes = readScopes(given.scopes, scopesIn(env));
  const made = await withInstallation(given.env, context, true, async (installation) => {
    const workspace = await workspaceNamed(installation.db, given.integrator);
    return createClient(installation, { workspace, name, scopes });
  });
  printRecord(context, { ...made, integrator: given.integrator, scopes }, given.json);
  context.say(SHOWN_ONCE);
}

async function rotate(given: RotateArguments, context: CommandContext): Promise<void> {
  const hours = readOverlap(given.overlapHours);
  const made = await withInstallation(given.env, context, true, async (installation) => {
    await requireClient(installation.db, given.clientId);
    return rotateSecret(installation, given.clientId, hours * SECONDS_PER_HOUR);
  });
  printRecord(context, { ...made, old_secret_valid_hours: hours }, given.json);
  context.say(SHOWN_ONCE);
}

async function setDisabled(
  given: ClientArguments,
  context: CommandContext,
  disabled: boolean,
): Promise<void> {
  await withInstallation(given.env, context, true, async (installation) => {
    await requireClient(installation.db, given.clientId);
    await setClientDisabled(installation, given.clientId, disabled);
  });
  printRecord(context, { client_id: given.clientId, disabled }, given.json);
  context.say('Running processes follow within seconds.');
}

async function requireClient(db: Queryable, id: string): Promise<void> {
  const text = 'select from client where client_id = $1';
  const found = isUuid(id) ? await db.query({ text, values: [id] }) : [];
  if (found.length > 0) return;
  throw new Error('There is no such client: give the id that client create printed.');
}

function readScopes(text: string, there: readonly string[]): string[] {
  if (text.trim() === 'all') return [...there];
  const names = [...new Set(text.split(/[ ,]+/).filter((name) => name !== ''))];
  const unknown = names.find((name) => !there.includes(name));
  if (unknown !== undefined && isScope(unknown)) {
    throw new Error(`The scope ${unknown} exists only in staging.`);
  }
  if (unknown !== undefined) {
    throw new Error(`There is no scope ${unknown}; the scopes are ${there.join(', ')}.`);
  }
  if (names.length === 0) throw new Error('--scopes must name at least one scope, or all.');
  return names;
}

function readOverlap(text: string): number {
  const hours = /^\d{1,3}$/.test(text) ? Number(text) : LONGEST_OVERLAP_HOURS + 1;
  if (hours > LONGEST_OVERLAP_HOURS) {
    throw new Error(`--overlap-hours must be a whole number from 0 to ${LONGEST_OVERLAP_HOURS}.`);
  }
  return hours;
}

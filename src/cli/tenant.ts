// `holdfast tenant`: a customer of this installation, its currencies, its limits per process and
// from how much money on an operator needs a second one; its move to another installation, and its
// export, which `holdfast verify --export` proves on another machine. [G-04, G-06, G-88]
// Options are checked before anything is written.
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import {
  createWorkspace,
  enableCurrency,
  findWorkspace,
  setSecondFrom,
  setTenantLimits,
  tenantLimits,
  workspaceDirectory,
} from '../product/tenant/tenant/index.ts';
import { openProcessorFunds } from '../product/money/treasury/index.ts';
import { connectionsOf } from '../product/tenant/provider/index.ts';
import { digitsOf } from '../core/currency.ts';
import { isUuid } from '../core/ids.ts';
import type { TenantLimits } from '../core/operation.ts';
import type { CommandContext, Installation } from './context.ts';
import { addMatching } from './matching.ts';
import {
  addVerb,
  asOwner,
  printRecord,
  refuseExisting,
  unreadable,
  withInstallation,
  workspaceNamed,
  type VerbArguments,
} from './installation.ts';
import { secondFrom } from '../product/context.ts';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { directoryOf, moveTenant } from '../product/tenant/move/index.ts';
import { open } from 'node:fs/promises';
import { exportTenant } from '../product/tenant/export/index.ts';

interface TenantArguments extends VerbArguments {
  readonly name: string;
  readonly currencies: string;
}

interface LimitArguments extends VerbArguments {
  readonly inFlight?: string;
  readonly writes?: string;
  readonly reads?: string;
  readonly default?: boolean;
}

interface CurrencyArguments extends VerbArguments {
  readonly add?: string;
}

const LONGEST_NAME = 255;
/** Nodes cache the currencies of a tenant for three seconds. */
const FOLLOWED_MS = 5_000;
const TENANT = "the tenant's id, as printed by tenant create";

/** Adds the commands below `tenant`. */
export function addTenant(program: Command, context: CommandContext): void {
  const tenant = program.command('tenant').description('manage the tenants of this installation');
  addVerb(tenant, 'create', 'create a tenant; prints its id for client create')
    .requiredOption('--name <name>', 'shown on pages until the tenant sets another')
    .requiredOption('--currencies <codes>', 'ISO 4217 codes, such as USD,EUR')
    .action(async (given: TenantArguments) => {
      const name = readName('--name', given.name);
      const currencies = readCurrencies('--currencies', given.currencies);
      const made = await withInstallation(given.env, context, true, async (installation) => {
        const created = await createWorkspace(installation.db, { name, currencies });
        await installation.rememberBeginning(created.workspace);
        return created;
      });
      printRecord(context, { integrator: made.integrator, name, currencies }, given.json);
    });
  addMove(tenant, context);
  addExport(tenant, context);
  addSecondPerson(tenant, context);
  addMatching(tenant, context);
  addVerb(tenant, 'limits', "show or set a tenant's limits for each process; 0 means no limit")
    .argument('<integrator>', TENANT)
    .option('--in-flight <n>', 'concurrent requests')
    .option('--writes <n>', 'write requests a second')
    .option('--reads <n>', 'read requests a second')
    .option('--default', 'use the limits of the installation again')
    .action((integrator: string, given: LimitArguments) => limit(integrator, given, context));
  addVerb(tenant, 'currencies', "show a tenant's currencies, or add some; none can be removed")
    .argument('<integrator>', TENANT)
    .option('--add <codes>', 'ISO 4217 codes, such as USD,EUR')
    .action(async (integrator: string, given: CurrencyArguments) => {
      const added = given.add === undefined ? [] : readCurrencies('--add', given.add);
      const currencies = await withInstallation(given.env, context, true, (installation) =>
        addCurrencies(installation, integrator, added),
      );
      printRecord(context, { integrator, currencies }, given.json);
    });
}

/** Enables currencies, where they are not yet; gives all that the tenant has. */
async function addCurrencies(
  { db, engine, keys }: Installation,
  integrator: string,
  added: readonly string[],
): Promise<string[]> {
  const workspace = await workspaceNamed(db, integrator);
  const enable = async (): Promise<void> => {
    for (const currency of added) await enableCurrency(db, workspace, currency);
  };
  if (added.length > 0) {
    await enable();
    // Before there is money in the currency: payouts in it wait for what is available.
    const connections = await connectionsOf(db, keys, workspace);
    if (connections.some(({ kind }) => kind === 'processor')) {
      await openProcessorFunds(engine, added, { workspace, actor: 'operator' });
    }
    // Until nodes know of the currency, they register accounts without a wallet in it.
    await pause(FOLLOWED_MS);
    await enable();
  }
  return [...(await workspaceDirectory(db).currencies(workspace)).keys()];
}

async function limit(
  integrator: string,
  given: LimitArguments,
  context: CommandContext,
): Promise<void> {
  const request = readLimits(given);
  const now = await withInstallation(given.env, context, true, async ({ db }) => {
    const known = isUuid(integrator) ? await tenantLimits(db, integrator) : undefined;
    if (known === undefined) throw new Error('There is no such tenant.');
    if (request === undefined) return known;
    await setTenantLimits(db, integrator, request);
    return request;
  });
  const [in_flight, writes, reads] = [now?.inFlight, now?.writes, now?.reads];
  const record = now === null ? { limits: 'default' } : { in_flight, writes, reads };
  printRecord(context, { integrator, ...record }, given.json);
}

/** Limits to set; null: none of its own; undefined: leave them. */
function readLimits(given: LimitArguments): TenantLimits | null | undefined {
  const texts = [given.inFlight, given.writes, given.reads];
  const named = texts.filter((text) => text !== undefined);
  if (named.length === 0) return given.default === true ? null : undefined;
  if (named.length < texts.length || given.default === true) {
    throw new Error('Give --in-flight, --writes and --reads together, or --default alone.');
  }
  if (!named.every((text) => /^\d{1,6}$/.test(text))) {
    throw new Error('--in-flight, --writes and --reads must be whole numbers.');
  }
  const [inFlight = 0, writes = 0, reads = 0] = named.map(Number);
  return { inFlight, writes, reads };
}

/** A name of a tenant or client; fails with one sentence. */
export function readName(option: string, text: string): string {
  const name = text.trim();
  if (name === '' || name.length > LONGEST_NAME) {
    throw new Error(`${option} must have 1 to ${LONGEST_NAME} characters.`);
  }
  return name;
}

function readCurrencies(option: string, text: string): string[] {
  const codes = [...new Set(text.split(/[ ,]+/).filter((code) => code !== ''))];
  if (codes.length === 0) throw new Error(`${option} must name at least one currency.`);
  const unknown = codes.find((code) => digitsOf(code) === null);
  if (unknown !== undefined) {
    throw new Error(`${option} takes active ISO 4217 codes such as USD, not ${unknown}.`);
  }
  return codes;
}

interface Arguments extends VerbArguments {
  readonly currency?: string;
  readonly from?: string;
  readonly default?: boolean;
}

/** Adds the command below `tenant`. */
function addSecondPerson(tenant: Command, context: CommandContext): void {
  addVerb(tenant, 'second-person', 'show or set from how much money on operators act in twos')
    .argument('<integrator>', "the tenant's id, as printed by tenant create")
    .option('--currency <code>', 'the currency to set it for')
    .option('--from <amount>', 'in minor units; 0 means always')
    .option('--default', 'use the setting of the installation again')
    .action(async (integrator: string, given: Arguments) => {
      const wish = readWish(given);
      const now = await withInstallation(given.env, context, true, async ({ db, policies }) => {
        const workspace = await workspaceNamed(db, integrator);
        if (wish !== null && !(await setSecondFrom(db, workspace, wish.currency, wish.from))) {
          throw new Error('The tenant does not have this currency.');
        }
        const workspaces = workspaceDirectory(db);
        const all = [...(await workspaces.currencies(workspace)).keys()];
        return Promise.all(all.map(async (currency) => {
          const from = await secondFrom({ workspaces, policies }, workspace, currency);
          return [currency, String(from)] as const;
        }));
      });
      printRecord(context, { integrator, ...Object.fromEntries(now) }, given.json);
    });
}

/** What to set; null: nothing. `from` null: as the installation says. */
function readWish({ currency, from, default: isDefault }: Arguments) {
  if (currency === undefined && from === undefined && isDefault !== true) return null;
  if (currency === undefined || (from === undefined) === (isDefault !== true)) {
    throw new Error('Give --currency, and --from or --default.');
  }
  if (from === undefined) return { currency, from: null };
  if (!/^\d{1,15}$/.test(from)) throw new Error('--from must be a whole number of minor units.');
  return { currency, from: BigInt(from) };
}

interface MoveArguments extends VerbArguments {
  readonly to: string;
}

/** Adds the commands below `tenant`. */
function addMove(tenant: Command, context: CommandContext): void {
  addVerb(tenant, 'move', 'move a tenant to another installation while both serve')
    .argument('<integrator>', "the tenant's id, as printed by tenant create")
    .requiredOption('--to <file>', 'settings of the other installation, as NAME=value lines')
    .action((integrator: string, given: MoveArguments) => move(integrator, given, context));
  addVerb(tenant, 'directory', 'print which ids this installation serves, for a map of a proxy')
    .action(async (given: VerbArguments) => {
      const lines = await withInstallation(given.env, context, true, ({ db }) => directoryOf(db));
      if (given.json === true) context.print(`${JSON.stringify({ lines })}\n`);
      else if (lines.length > 0) context.print(`${lines.join('\n')}\n`);
    });
}

async function move(
  integrator: string,
  given: MoveArguments,
  context: CommandContext,
): Promise<void> {
  if (!isUuid(integrator)) throw new Error('There is no such tenant.');
  const environment = settingsIn(given.to);
  const elsewhere: CommandContext = {
    ...context,
    environment,
    openInstallation: (options) => context.openInstallation({ ...options, environment }),
  };
  const moved = await withInstallation(given.env, context, true, (from) =>
    withInstallation(given.env, elsewhere, true, (to) =>
      asOwner(from, (source) =>
        asOwner(to, (target) =>
          moveTenant({ ...from, db: source }, { ...to, db: target }, integrator, context.say),
        ),
      ),
    ),
  );
  const { workspace, rows, rounds, refusedMs: refused_ms } = moved;
  printRecord(context, { integrator, workspace, rows, rounds, refused_ms }, given.json);
}

function settingsIn(file: string): CommandContext['environment'] {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    return unreadable();
  }
}

/** Adds the command `tenant export`. */
function addExport(tenant: Command, context: CommandContext): void {
  addVerb(tenant, 'export', "write a tenant's books and audit to a file that proves itself")
    .argument('<integrator>', "the tenant's id, as printed by tenant create")
    .requiredOption('--to <file>', 'a new file')
    .action(async (integrator: string, given: VerbArguments & { readonly to: string }) => {
      refuseExisting(given.to);
      const made = await withInstallation(given.env, context, false, async (installation) => {
        const { db } = installation;
        const workspace = isUuid(integrator) ? await findWorkspace(db, integrator) : null;
        if (workspace === null) throw new Error('There is no such tenant.');
        const file = await open(given.to, 'wx', 0o600);
        try {
          return await exportTenant(installation, { integrator, workspace }, async (text) => {
            await file.appendFile(text);
          });
        } finally {
          await file.close();
        }
      });
      printRecord(context, { integrator, file: given.to, ...made }, given.json);
    });
}

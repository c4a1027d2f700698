// `holdfast operator`: accounts that sign in to the console. Credentials are printed once.
import type { Command } from 'commander';
import { sql, type Database } from '../db/index.ts';
import {
  codeAt,
  createOperator,
  operatorNamed,
  OperatorRefused,
  resetOperator,
  roleNamed,
  roleNames,
  setOperatorDisabled,
  type Workspaces,
} from '../product/access/operator/index.ts';
import { isUuid } from '../core/ids.ts';
import type { CommandContext, Installation } from './context.ts';
import { addVerb, printRecord, withInstallation, type VerbArguments } from './installation.ts';
import { readName } from './tenant.ts';

interface NewArguments extends VerbArguments {
  readonly name: string;
  readonly username: string;
  readonly roles: string;
  readonly tenant?: string;
  readonly email?: string;
}

const ACTOR = 'operator';

/** Adds the commands below `operator`. */
export function addOperator(program: Command, context: CommandContext): void {
  const operator = program.command('operator').description('manage console operators');
  addVerb(operator, 'create', 'create an operator; prints password and authenticator secret once')
    .requiredOption('--name <name>', "the person's name")
    .requiredOption('--username <username>', 'the name to sign in with')
    .requiredOption('--roles <roles>', roleNames())
    .option('--email <address>', 'where they are mailed (default: nowhere)')
    .option('--tenant <id>', 'the only tenant they may see (default: all)')
    .action((given: NewArguments) => create(given, context));
  addVerb(operator, 'disable', 'disable an operator and end every session')
    .argument('<username>')
    .action(async (username: string, given: VerbArguments) => {
      await on(username, given, context, async (installation, id) => {
        await setOperatorDisabled(installation, id, true, ACTOR);
        return { username, state: 'disabled' };
      });
    });
  addVerb(operator, 'enable', 'enable an operator again')
    .argument('<username>')
    .action(async (username: string, given: VerbArguments) => {
      await on(username, given, context, async (installation, id) => {
        await setOperatorDisabled(installation, id, false, ACTOR);
        return { username, state: 'enabled' };
      });
    });
  addVerb(
    operator,
    'reset',
    'give an operator a new password and authenticator secret; prints them once',
  )
    .argument('<username>')
    .action(async (username: string, given: VerbArguments) => {
      await on(username, given, context, async (installation, id) => {
        return { ...(await resetOperator(installation, { id, password: true }, ACTOR)) };
      });
    });
  operator
    .command('code')
    .description('print a sign-in code, for a sandbox without an authenticator app')
    .argument('<secret>', 'totp_secret, as printed at the start')
    .option('--json', 'print one line of JSON')
    .action((secret: string, { json }: VerbArguments) => {
      const code = codeNow(secret);
      context.print(json === true ? `${JSON.stringify({ code })}\n` : `${code}\n`);
    });
}

function codeNow(secret: string): string {
  if (!/^[A-Z2-7]{32}$/.test(secret)) {
    throw new Error(
      'The secret must be the 32 letters and digits printed at the start (totp_secret).',
    );
  }
  return codeAt(secret, Date.now() / 1000);
}

async function create(given: NewArguments, context: CommandContext): Promise<void> {
  const name = readName('--name', given.name);
  const named = given.roles.split(/[ ,]+/).filter((role) => role !== '');
  const roles = named.flatMap((name) => roleNamed(name) ?? []);
  const unknown = named.find((name) => roleNamed(name) === null);
  if (unknown !== undefined) throw new Error(`--roles takes ${roleNames()}, not ${unknown}.`);
  const made = await withInstallation(given.env, context, true, async (installation) => {
    const workspaces = await workspacesOf(installation.db, given.tenant);
    const { username, email = '' } = given;
    const request = { name, username, roles, workspaces, email };
    return createOperator(installation, request, ACTOR);
  });
  printRecord(context, { ...made }, given.json);
}

async function workspacesOf(db: Database, tenant: string | undefined): Promise<Workspaces> {
  if (tenant === undefined) return 'all';
  const rows = await db.query<{ workspace: number }>(sql`
    select workspace from workspace where integrator = ${isUuid(tenant) ? tenant : null}
      and ended is null
    order by workspace`);
  if (rows.length === 0) throw new Error('There is no such tenant.');
  return rows.map(({ workspace }) => workspace);
}

async function on(
  username: string,
  given: VerbArguments,
  context: CommandContext,
  work: (installation: Installation, id: string) => Promise<Record<string, unknown>>,
): Promise<void> {
  const record = await withInstallation(given.env, context, true, async (installation) => {
    const id = await operatorNamed(installation, username);
    if (id === null) throw new OperatorRefused('There is no such operator.');
    return work(installation, id);
  });
  printRecord(context, record, given.json);
}

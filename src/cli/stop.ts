// `holdfast stop` and `holdfast resume`: kill switches for the whole installation or one tenant.
// Stopping takes whoever is awake; resuming takes a supervisor.
import type { Command } from 'commander';
import {
  isStoppable,
  PROVIDER_STOPPED,
  resume,
  stop,
  STOPPABLE,
  stopsNow,
  type StopTarget,
} from '../product/tenant/stop/index.ts';
import type { CommandContext, Installation } from './context.ts';
import { addVerb, plainly, printRecord, withInstallation, workspaceNamed } from './installation.ts';
import type { VerbArguments } from './installation.ts';
import { provenOperator, type OperatorArguments } from './proven-operator.ts';

interface StopArguments extends VerbArguments, OperatorArguments {
  readonly tenant?: string;
}

const NAMES = [...Object.keys(STOPPABLE), 'provider'].join(', ');

/** Adds the commands `stop` and `resume`. */
export function addStop(program: Command, context: CommandContext): void {
  const all = Object.entries({ ...STOPPABLE, 'provider <name>': PROVIDER_STOPPED });
  const meanings = all.map(([name, means]) => `  ${name}: ${means}`);
  addVerb(program, 'stop', `stop ${NAMES}; without a name, list what is stopped`)
    .argument('[what]', NAMES)
    .argument('[provider]', 'the name of the provider')
    .option('--tenant <id>', 'only of this tenant (default: of all)')
    .addHelpText('after', `\n${meanings.join('\n')}`)
    .action((what: string | undefined, name: string | undefined, given: StopArguments) => {
      return withInstallation(given.env, context, true, async (installation) => {
        if (what === undefined) return list(installation, given, context);
        const { target } = await targetOf(installation, [what, name], given);
        const isNew = await stop(installation.db, target, 'operator');
        tell(context, target, isNew ? 'stopped' : 'already stopped', given);
      });
    });
  addVerb(program, 'resume', 'resume what was stopped, as a supervisor')
    .argument('<what>', NAMES)
    .argument('[provider]', 'the name of the provider')
    .option('--tenant <id>', 'as it was stopped')
    .option('--operator <username>', 'your username at the console')
    .option('--code <code>', 'from your authenticator')
    .action((what: string, name: string | undefined, given: StopArguments) => {
      return withInstallation(given.env, context, true, async (installation) => {
        const { target, workspace } = await targetOf(installation, [what, name], given);
        const needed = { right: 'confirm', workspace } as const;
        const id = await provenOperator(installation, context, given, needed);
        const ended = await resume(installation.db, target, `operator:${id}`).catch(plainly);
        tell(context, target, ended ? 'resumed' : 'not stopped', given);
      });
    });
}

/** `workspace`: the one that whoever resumes it must see; 0 for all. */
async function targetOf(
  { db, providers }: Installation,
  [kind, name]: readonly [string, string | undefined],
  { tenant }: StopArguments,
): Promise<{ readonly target: StopTarget; readonly workspace: number }> {
  const what = name === undefined ? kind : `${kind}:${name}`;
  const names = [...new Set(providers.map((row) => row.name))];
  if (kind === 'provider' && !names.includes(name ?? '')) {
    throw new Error(`The provider must be one of ${names.join(', ')}.`);
  }
  if (!isStoppable(what)) throw new Error(`What is stopped must be one of ${NAMES}.`);
  const workspace = tenant === undefined ? 0 : await workspaceNamed(db, tenant);
  return { target: { what, integrator: tenant ?? null }, workspace };
}

function tell(
  context: CommandContext,
  { what, integrator }: StopTarget,
  state: string,
  { json }: StopArguments,
): void {
  printRecord(context, { what, tenant: integrator ?? 'all', state }, json);
}

async function list(
  { db }: Installation,
  { json }: StopArguments,
  context: CommandContext,
): Promise<void> {
  const stops = (await stopsNow(db)).map(({ what, integrator, since, actor }) => {
    return { what, tenant: integrator ?? 'all', since, actor };
  });
  if (json === true) context.print(`${JSON.stringify({ stops })}\n`);
  else if (stops.length === 0) context.print('Nothing is stopped.\n');
  for (const { what, tenant, since, actor } of json === true ? [] : stops) {
    context.print(`${what} of ${tenant} since ${since} by ${actor}\n`);
  }
}

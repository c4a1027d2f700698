// `holdfast reporting`: roles of the database for analysts, each bound to one tenant. How to
// connect is printed once.
import type { Command } from 'commander';
import { isUuid } from '../core/ids.ts';
import {
  createReportingRole,
  removeReportingRole,
  reportingRoles,
} from '../product/tenant/reporting/index.ts';
import type { CommandContext } from './context.ts';
import { addVerb, asOwner, printRecord, withInstallation } from './installation.ts';
import type { VerbArguments } from './installation.ts';

interface CreateArguments extends VerbArguments {
  readonly integrator: string;
}

/** Adds the commands below `reporting`. */
export function addReporting(program: Command, context: CommandContext): void {
  const reporting = program
    .command('reporting')
    .description("give analysts a role of the database that reads one tenant's views");
  addVerb(reporting, 'create', 'create a role for a tenant; prints how to connect, once')
    .requiredOption('--integrator <id>', "the tenant's id, as printed by tenant create")
    .action((given: CreateArguments) => create(given, context));
  addVerb(reporting, 'list', 'list the roles and their tenants')
    .action((given: VerbArguments) => list(given, context));
  addVerb(reporting, 'remove', 'remove a role; whoever is connected as it sees nothing any more')
    .argument('<role>')
    .action(async (role: string, given: VerbArguments) => {
      const removed = await withInstallation(given.env, context, true, (installation) =>
        asOwner(installation, (owner) => removeReportingRole(owner, role)),
      );
      if (!removed) throw new Error('There is no such role.');
      printRecord(context, { role, state: 'removed' }, given.json);
    });
}

async function create(given: CreateArguments, context: CommandContext): Promise<void> {
  const { integrator } = given;
  const made = await withInstallation(given.env, context, true, async (installation, url) => {
    if (!isUuid(integrator)) return null;
    const reader = await asOwner(installation, (owner) =>
      createReportingRole(owner, installation.random, integrator),
    );
    return reader && { ...reader, url: addressOf(url, reader) };
  });
  if (made === null) throw new Error('There is no such tenant.');
  printRecord(context, { integrator, ...made }, given.json);
}

async function list(given: VerbArguments, context: CommandContext): Promise<void> {
  const { env, json } = given;
  const roles = await withInstallation(env, context, true, ({ db }) => reportingRoles(db));
  if (json === true) context.print(`${JSON.stringify({ roles })}\n`);
  else if (roles.length === 0) context.print('No reporting roles.\n');
  for (const { role, integrator, created, exists } of json === true ? [] : roles) {
    const state = exists ? 'exists' : 'missing: remove it and create another';
    context.print(`${role}  ${integrator}  ${created.slice(0, 10)}  ${state}\n`);
  }
}

const URL_PARTS = /^(postgres(?:ql)?:\/\/)(?:[^@/?]*@)?([^?]*)(?:\?(.*))?$/;

/** The address of the server's database with another role; how it is encrypted stays. */
function addressOf(url: string, { role, password }: { role: string; password: string }): string {
  const [, scheme = '', place = '', query = ''] = URL_PARTS.exec(url) ?? [];
  const kept = [...new URLSearchParams(query)].filter(([name]) => /^ssl|^host$/.test(name));
  const more = new URLSearchParams(kept).toString();
  return `${scheme}${role}:${password}@${place}${more === '' ? '' : `?${more}`}`;
}

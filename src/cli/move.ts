// `holdfast tenant move` and `holdfast tenant directory`: a tenant leaves for another installation,
// and who lives where.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import { directoryOf, moveTenant } from '../product/tenant/move/index.ts';
import { isUuid } from '../core/ids.ts';
import type { CommandContext } from './context.ts';
import { addVerb, asOwner, printRecord, unreadable, withInstallation } from './installation.ts';
import type { VerbArguments } from './installation.ts';

interface MoveArguments extends VerbArguments {
  readonly to: string;
}

/** Adds the commands below `tenant`. */
export function addMove(tenant: Command, context: CommandContext): void {
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

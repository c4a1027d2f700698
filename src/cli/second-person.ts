// `holdfast tenant second-person`: from how much money on an act of an operator waits for a second
// one, for each currency of a tenant. [G-88]
import type { Command } from 'commander';
import { setSecondFrom, workspaceDirectory } from '../product/tenant/tenant/index.ts';
import { secondFrom } from '../product/context.ts';
import type { CommandContext } from './context.ts';
import {
  addVerb,
  printRecord,
  withInstallation,
  workspaceNamed,
  type VerbArguments,
} from './installation.ts';

interface Arguments extends VerbArguments {
  readonly currency?: string;
  readonly from?: string;
  readonly default?: boolean;
}

/** Adds the command below `tenant`. */
export function addSecondPerson(tenant: Command, context: CommandContext): void {
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

// `holdfast tenant export`: writes a tenant's books and audit to a file that `holdfast verify
// --export` proves on another machine.
import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { isUuid } from '../core/ids.ts';
import { exportTenant } from '../product/tenant/export/index.ts';
import { findWorkspace } from '../product/tenant/tenant/index.ts';
import type { CommandContext } from './context.ts';
import { addVerb, printRecord, withInstallation, type VerbArguments } from './installation.ts';

/** Adds the command `tenant export`. */
export function addExport(tenant: Command, context: CommandContext): void {
  addVerb(tenant, 'export', "write a tenant's books and audit to a file that proves itself")
    .argument('<integrator>', "the tenant's id, as printed by tenant create")
    .requiredOption('--to <file>', 'a new file')
    .action(async (integrator: string, given: VerbArguments & { readonly to: string }) => {
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

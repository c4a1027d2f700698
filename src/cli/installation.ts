// Opens the database that a plan names for a short command and always closes it. Ctrl-C ends a long
// command at once.
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { isUuid } from '../core/ids.ts';
import { Refusal } from '../core/refusal.ts';
import type { Database, Queryable } from '../db/index.ts';
import { findWorkspace } from '../product/tenant/tenant/index.ts';
import { planData } from './arguments.ts';
import type { CommandContext, Installation, InstallationOptions } from './context.ts';
import { withDatabase } from './database.ts';

/** What every command on an installation may be given. */
export interface VerbArguments {
  readonly json?: boolean;
  readonly env?: string;
}

/** Adds a command on an installation, with the options that all of them have. */
export function addVerb(parent: Command, name: string, says: string): Command {
  return parent
    .command(name)
    .description(says)
    .option('--json', 'print one line of JSON')
    .option('--env <name>', 'staging (default) or production; also HOLDFAST_ENV');
}

/** Opens the installation for the work, with its schema as `migrated` says; `url`: its database. */
export async function withInstallation<R>(
  env: string | undefined,
  context: CommandContext,
  migrated: InstallationOptions['migrated'],
  work: (installation: Installation, url: string) => Promise<R>,
): Promise<R> {
  const plan = planData(env, context.environment, context.home);
  return withDatabase(plan, context, async ({ url, ownerUrl }) => {
    const installation = await context.openInstallation({
      env: plan.env,
      databaseUrl: url,
      ownerUrl,
      dataDir: plan.dataDir,
      migrated,
    });
    let interrupted = false;
    const asked = context.asked.then((why) => {
      interrupted = true;
      throw new Error(`${why}: interrupted before it finished.`);
    });
    try {
      return await Promise.race([work(installation, url), asked]);
    } finally {
      // Closing a pool waits for its statements; an interrupted command does not.
      if (!interrupted) await installation.close();
    }
  });
}

/** Works as the owner of the tables. */
export async function asOwner<R>(
  { owner }: Installation,
  work: (db: Database) => Promise<R>,
): Promise<R> {
  const db = owner();
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** One line of JSON for programs, or lines of `name  value` for people. */
export function printRecord(
  context: CommandContext,
  record: Readonly<Record<string, unknown>>,
  json: boolean | undefined,
): void {
  if (json === true) {
    context.print(`${JSON.stringify(record)}\n`);
    return;
  }
  const width = Math.max(...Object.keys(record).map((name) => name.length)) + 2;
  for (const [name, value] of Object.entries(record)) {
    const text = Array.isArray(value) ? value.join(' ') : String(value ?? '-');
    context.print(`${name.padEnd(width)}${text}\n`);
  }
}

/** A refusal as a sentence with its code. */
export function plainly(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw new Error(`${error.spec.code}: ${error.spec.sentence}`);
}

/** For a file that was named and cannot be opened. */
export function unreadable(): never {
  throw new Error('The file cannot be read.');
}

/** Before anything changes, so that a command which has done its work can also write it down. */
export function refuseExisting(path: string | undefined): void {
  if (path !== undefined && existsSync(path)) throw new Error(`${path} exists already.`);
}

/** For JSON: amounts are texts of digits, so that no reader rounds them. */
export function amountsAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** The workspace of the tenant that `--integrator` names; fails with one sentence. */
export async function workspaceNamed(db: Queryable, integrator: string): Promise<number> {
  const workspace = isUuid(integrator) ? await findWorkspace(db, integrator) : null;
  if (workspace !== null) return workspace;
  throw new Error('There is no such tenant: give the id that tenant create printed.');
}

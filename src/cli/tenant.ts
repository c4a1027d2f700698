// `holdfast tenant create`: a customer of this installation, with its currencies. [G-04] Answers
// for saying what is wrong with a wish before anything is written; the rows are the domain's.
import type { Command } from 'commander';
import { createWorld } from '../domain/tenant/index.ts';
import { rememberBeginning } from '../domain/world/index.ts';
import { digitsOf } from '../kernel/currency.ts';
import type { CommandContext } from './context.ts';
import { printRecord, withInstallation } from './installation.ts';

interface TenantArguments {
  readonly name: string;
  readonly currencies: string;
  readonly json?: boolean;
  readonly env?: string;
}

const LONGEST_NAME = 255;

/** Adds the verbs below `tenant`. */
export function addTenant(program: Command, context: CommandContext): void {
  const tenant = program.command('tenant').description('the customers of this installation');
  tenant
    .command('create')
    .description('make a tenant; prints its id, which clients are made for')
    .requiredOption('--name <name>', 'for people; pages show it until the tenant sets another')
    .requiredOption('--currencies <codes>', 'ISO 4217 codes, such as USD,EUR')
    .option('--json', 'print one line of JSON')
    .option('--env <name>', 'staging (default) or production; also HOLDFAST_ENV')
    .action(async (given: TenantArguments) => {
      const name = readName('--name', given.name);
      const currencies = readCurrencies(given.currencies);
      const made = await withInstallation(given.env, context, true, async ({ db, env }) => {
        const created = await createWorld(db, { name, currencies });
        if (env === 'staging') await rememberBeginning(db, created.world);
        return created;
      });
      printRecord(context, { integrator: made.integrator, name, currencies }, given.json);
    });
}

/** A name of a tenant or client; fails with one sentence. */
export function readName(option: string, text: string): string {
  const name = text.trim();
  if (name === '' || name.length > LONGEST_NAME) {
    throw new Error(`${option} is a text of 1 to ${LONGEST_NAME} characters.`);
  }
  return name;
}

function readCurrencies(text: string): string[] {
  const codes = [...new Set(text.split(/[ ,]+/).filter((code) => code !== ''))];
  if (codes.length === 0) throw new Error('--currencies names at least one currency.');
  const unknown = codes.find((code) => digitsOf(code) === null);
  if (unknown !== undefined) {
    throw new Error(`--currencies takes active ISO 4217 codes such as USD, not ${unknown}.`);
  }
  return codes;
}

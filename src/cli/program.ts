// The command `holdfast`: the list of its subcommands, and any failure as one sentence on stderr
// with exit code 1.
import { Command } from 'commander';
import { Refusal } from '../core/refusal.ts';
import { addBank } from './bank.ts';
import { addCheck } from './check.ts';
import { addClient } from './client.ts';
import { ToldFailure, type CommandContext } from './context.ts';
import { addExplain } from './explain.ts';
import { addImport } from './import.ts';
import { addKeys } from './keys.ts';
import { addListen } from './listen.ts';
import { addMigrate, addRestored } from './migrate.ts';
import { unknownName } from './suggestion.ts';
import { addOperator } from './operator.ts';
import { addPayoutFile } from './payout-file.ts';
import { addPerson } from './person.ts';
import { addProvider } from './provider.ts';
import { addReconcile, addTreasury } from './treasury.ts';
import { addReporting } from './reporting.ts';
import { addStart } from './start.ts';
import { addStop } from './stop.ts';
import { addTenant } from './tenant.ts';
import { addTerms } from './terms.ts';
import { addTrigger } from './trigger.ts';
import { addVerify } from './verify.ts';
import { addWatchList } from './watch-list.ts';

type AddVerb = (program: Command, context: CommandContext) => void;

/**
 * Every command, in the order and under the headings of `holdfast --help`. A new one is a file
 * beside this and a line here.
 */
const VERBS: Readonly<Record<string, readonly AddVerb[]>> = {
  'Run:': [addStart, addMigrate],
  'Work with a running sandbox:': [addListen, addTrigger, addExplain],
  'Tenants, clients and operators:': [
    ...[addTenant, addClient, addProvider, addOperator, addReporting, addImport],
  ],
  'Money at the bank:': [addBank, addPayoutFile],
  'Terms and personal data:': [addTerms, addWatchList, addPerson],
  'Verify and maintain an installation:': [
    ...[addCheck, addStop, addVerify, addReconcile, addTreasury, addKeys, addRestored],
  ],
};

const MORE = `
Without a command holdfast runs start. \`holdfast <command> --help\` explains each command. Commands
for an installation take --env; commands for a running sandbox find it by themselves. With --json
each prints JSON on stdout, a failure as {"error"}, and everything else on stderr.`;

/** The program with every command; `context` is what they work with. */
export function buildProgram(context: CommandContext): Command {
  const program = new Command('holdfast')
    .description('Open, self-hosted payment platform for products where users pay users')
    .exitOverride()
    .showHelpAfterError()
    .addHelpText('after', MORE);
  for (const [heading, verbs] of Object.entries(VERBS)) {
    program.commandsGroup(heading);
    for (const addVerb of verbs) addVerb(program, context);
  }
  return program;
}

/** Reads the arguments (without node and script), runs the command and returns the exit code. */
export async function runProgram(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const program = buildProgram(context);
  try {
    // Otherwise commander takes a mistyped command for an argument of `start`.
    const verbs = [...program.commands.map((verb) => verb.name()), 'help'];
    const [verb] = args;
    if (verb !== undefined && !verb.startsWith('-') && !verbs.includes(verb)) {
      throw new Error(unknownName('command', verb, verbs));
    }
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (isHelp(error)) {
      const verbless = error.code === 'commander.help';
      const sentence = verbless ? 'A command is missing: --help lists them.' : error.message;
      if (error.exitCode !== 0) printFailure(sentence, args, context);
      return error.exitCode;
    }
    const sentence = sentenceOf(error);
    context.say(sentence);
    if (!(error instanceof ToldFailure)) printFailure(sentence, args, context);
    if (context.environment['HOLDFAST_DEBUG'] && error instanceof Error)
      context.say(error.stack ?? '');
    return 1;
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof Refusal) return error.spec.sentence;
  return error instanceof Error ? error.message : String(error);
}

/** With --json a failure is a line of JSON too; a `start` prints only its ready line. */
function printFailure(sentence: string, args: readonly string[], context: CommandContext): void {
  const [verb = '-'] = args;
  const starts = verb === 'start' || verb.startsWith('-');
  if (!args.includes('--json') || starts) return;
  context.print(`${JSON.stringify({ error: sentence.replace(/^error: /, '') })}\n`);
}

/** Commander's own exits (help, a bad option) have already printed their text. */
function isHelp(error: unknown): error is Error & { exitCode: number; code: string } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}

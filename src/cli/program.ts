// The command `holdfast`: the list of its verbs. Answers for which verbs exist and for turning any
// failure into one sentence on stderr and exit code 1. What a verb does is in its own file.
import { Command } from 'commander';
import { addClient } from './client.ts';
import type { CommandContext } from './context.ts';
import { addKeys } from './keys.ts';
import { addListen } from './listen.ts';
import { addMigrate } from './migrate.ts';
import { addOperator } from './operator.ts';
import { addPerson } from './person.ts';
import { addReconcile } from './reconcile.ts';
import { addStart } from './start.ts';
import { addTenant } from './tenant.ts';
import { addTerms } from './terms.ts';
import { addTrigger } from './trigger.ts';
import { addVerify } from './verify.ts';
import { addWatchList } from './watch-list.ts';

/**
 * Every verb, in the order of `holdfast --help`. A new one is a file beside this and a line here.
 */
const VERBS: readonly ((program: Command, context: CommandContext) => void)[] = [
  addStart,
  addListen,
  addTrigger,
  addMigrate,
  addVerify,
  addReconcile,
  addTenant,
  addClient,
  addOperator,
  addTerms,
  addWatchList,
  addKeys,
  addPerson,
];

/** Reads the arguments (without node and script) and runs the verb; gives the exit code. */
export async function runProgram(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const program = new Command('holdfast')
    .description('Open, self-hosted platform for products in which users pay users')
    .exitOverride()
    .showHelpAfterError();
  for (const addVerb of VERBS) addVerb(program, context);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (isHelp(error)) return error.exitCode;
    context.say(error instanceof Error ? error.message : String(error));
    if (context.environment['HOLDFAST_DEBUG'] && error instanceof Error)
      context.say(error.stack ?? '');
    return 1;
  }
}

/** Commander's own endings (help, a bad option) have already said what there is to say. */
function isHelp(error: unknown): error is { exitCode: number } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}

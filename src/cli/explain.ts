// `holdfast explain <id>`: asks the running sandbox what happened to a resource, why, and what
// comes next.
import type { Command } from 'commander';
import type { Explanation } from '../product/tell/explain/index.ts';
import type { CommandContext } from './context.ts';
import { explained } from './explained.ts';
import { CallRefused, openServer, withServerOptions, type ServerArguments } from './server.ts';
import { paintOf } from './terminal.ts';

const WIDTH = 100;
const NARROWEST = 60;
const EXAMPLES = `
Examples:
  holdfast explain esc_01h455vb4pex5vsknk084sn02q      an escrow and its invoices
  holdfast explain acct_01h455vb4pex5vsknk084sn02q     an account and its latest sales
  holdfast explain 01a1fa75-c9e4-7202-a168-8f0d6fd55a35
        any id without a prefix: invoice, refund, payout, deposit, payment method, webhook
        endpoint, event, link; or the reference from a 500 response
  holdfast explain <endpoint id>:<event number>        one delivery
  holdfast explain 01a1fa75c9e47202a1688f0d6fd55a35    the end-to-end id of a payout, or the
        message id of a payout file; also a bank's reference, and the SHA-256 of a file`;

/** Adds the command. */
export function addExplain(program: Command, context: CommandContext): void {
  withServerOptions(
    program
      .command('explain <id>')
      .description('show what happened to a resource in the sandbox, why, and what is next'),
  )
    .addHelpText('after', EXAMPLES)
    .action((id: string, given: ServerArguments) => explainOne(id, given, context));
}

async function explainOne(
  id: string,
  given: ServerArguments,
  context: CommandContext,
): Promise<void> {
  const server = await openServer(given, context);
  const told = (await server
    .call('invoicing', 'GET', `/sandbox/explain/${encodeURIComponent(id)}`)
    .catch((error: unknown) => {
      if (!(error instanceof CallRefused) || error.status !== 404) throw error;
      throw new Error(
        `${id} was not found in this sandbox. Check the id; it may also belong to another tenant ` +
          'or workspace, or to a state that was rolled back.',
      );
    })) as Explanation;
  if (given.json === true) return context.print(`${JSON.stringify(told)}\n`);
  const columns = Number(context.environment['COLUMNS']) || WIDTH;
  const paint = paintOf(context.colours);
  return context.print(explained(told, paint, Math.max(columns, NARROWEST)));
}

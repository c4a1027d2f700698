// `holdfast payout-file`: collects payouts to accounts by IBAN into a file for the bank, and
// records what the bank did with it. Making and confirming take two operators. [G-91]
import { readFileSync, writeFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import {
  bytesOf,
  cancelFile,
  confirmFile,
  csvMapping,
  fileRow,
  fileView,
  FORMATS,
  handOverFile,
  itemsIn,
  listFiles,
  makeFile,
  oddEntries,
  PLAIN_MAPPING,
  settleWord,
  waitingPayouts,
  waitingTotals,
  type BankWord,
  type CsvMapping,
} from '../product/money/payout-file/index.ts';
import { dependentOn } from '../product/access/operator/index.ts';
import { isDay } from '../core/time.ts';
import type { CommandContext, Installation } from './context.ts';
import {
  addVerb,
  amountsAsText,
  plainly,
  printRecord,
  refuseExisting,
  withInstallation,
  workspaceNamed,
  type VerbArguments,
} from './installation.ts';
import {
  PASSWORD_VARIABLE,
  provenOperator,
  type OperatorArguments,
} from './proven-operator.ts';
import { fileText, listText } from './payout-file-text.ts';

interface FileArguments extends VerbArguments {
  readonly integrator: string;
}

interface MakeArguments extends FileArguments, OperatorArguments {
  readonly currency: string;
  readonly format: (typeof FORMATS)[number];
  readonly mapping?: string;
  readonly executeOn?: string;
}

interface ConfirmArguments extends FileArguments, OperatorArguments {
  readonly sha256: string;
}

interface OutArguments extends FileArguments {
  readonly out?: string;
}

interface WordArguments extends FileArguments {
  readonly reference: string;
}

const ACTOR = 'operator';
const MOST = 100;

type Printed = Readonly<Record<string, unknown>>;

/** Adds the commands below `payout-file`. */
export function addPayoutFile(program: Command, context: CommandContext): void {
  const files = program.command('payout-file').description('hand payouts to the bank in files');
  const verb = (name: string, says: string): Command =>
    addVerb(files, name, says).requiredOption('--integrator <id>', "the tenant's id");
  const proven = (name: string, says: string): Command =>
    verb(name, `${says}; the password is in ${PASSWORD_VARIABLE}`)
      .requiredOption('--operator <username>', 'who acts')
      .requiredOption('--code <code>', "the operator's code of now");
  verb('list', 'list payout files, newest first, and what waits for one')
    .action((given: FileArguments) => run(given, context, list, listText));
  proven('make', 'collect what waits in one currency into a file')
    .requiredOption('--currency <code>', 'such as EUR')
    .addOption(new Option('--format <format>', 'of the file').choices(FORMATS).default(FORMATS[0]))
    .option('--mapping <path>', 'columns of a CSV, as JSON (default: every field)')
    .option('--execute-on <day>', 'YYYY-MM-DD (default: today)')
    .action((given: MakeArguments) => make(given, context));
  verb('show', 'show a file with its payouts; with --out also write it')
    .argument('<file>')
    .option('--out <path>', 'where to write the file; never over another')
    .action((file: string, given: OutArguments) => show(file, given, context));
  proven('confirm', 'confirm a file that another operator made')
    .argument('<file>')
    .requiredOption('--sha256 <digest>', 'of the file, as shown')
    .action((file: string, given: ConfirmArguments) => confirm(file, given, context));
  verb('cancel', 'cancel a file that was not handed over')
    .argument('<file>')
    .action((fileId: string, given: FileArguments) =>
      run(given, context, (parts, workspace) =>
        cancelFile(parts, { workspace, fileId, actor: ACTOR }), fileText,
      ),
    );
  verb('hand-over', 'write a confirmed file for the bank; once')
    .argument('<file>')
    .requiredOption('--out <path>', 'where to write the file; never over another')
    .action((file: string, given: OutArguments) => handOver(file, given, context));
  for (const [name, what, says] of WORDS) {
    verb(name, says)
      .argument('<id>', what === 'returned' ? 'end-to-end id' : 'file or end-to-end id')
      .requiredOption('--reference <text>', "the bank's own, or your note")
      .action((id: string, given: WordArguments) => say(id, what, given, context));
  }
}

const WORDS: readonly (readonly [string, BankWord['what'], string])[] = [
  ['settle', 'debited', 'record that the bank debited a file or one payout'],
  ['return', 'returned', 'record that a payout came back'],
  ['reject', 'rejected', 'record that a payout or a file was not carried out, or cannot be'],
];

/**
 * Runs the work on the tenant's workspace, and prints its record or, for people, `text` of it; a
 * refusal is one sentence.
 */
async function run<R extends object>(
  given: FileArguments,
  context: CommandContext,
  work: (installation: Installation, workspace: number) => Promise<R>,
  text?: (record: R) => string,
): Promise<void> {
  const record = await withInstallation(given.env, context, true, async (installation) => {
    const workspace = await workspaceNamed(installation.db, given.integrator);
    return work(installation, workspace).catch(plainly);
  });
  if (given.json !== true && text !== undefined) context.print(text(record));
  else {
    printRecord(context, JSON.parse(JSON.stringify(record, amountsAsText)) as Printed, given.json);
  }
}

async function list(installation: Installation, workspace: number) {
  const { db } = installation;
  return {
    files: await listFiles(db, workspace, MOST),
    waiting: await waitingTotals(db, workspace),
    payouts: await waitingPayouts(installation, workspace, MOST),
    deviating: await oddEntries(db, workspace),
  };
}

async function make(given: MakeArguments, context: CommandContext): Promise<void> {
  const { currency, format, executeOn = null } = given;
  const mapping = format === 'csv' ? readMapping(given.mapping) : null;
  if (format !== 'csv' && given.mapping !== undefined) throw new Error('--mapping is for a CSV.');
  if (executeOn !== null && !isDay(executeOn)) throw new Error('--execute-on takes YYYY-MM-DD.');
  await run(given, context, async (installation, workspace) => {
    const needed = { right: 'bank', workspace } as const;
    const operator = await provenOperator(installation, context, given, needed);
    const wanted = { workspace, currency, format, mapping, executeOn, operator };
    const { file, left } = await makeFile(installation, wanted);
    return { ...file, left };
  }, fileText);
}

function readMapping(path: string | undefined): CsvMapping {
  if (path === undefined) return PLAIN_MAPPING;
  const text: string = readFileSync(path, 'utf8');
  try {
    return csvMapping.parse(JSON.parse(text));
  } catch {
    throw new Error(
      '--mapping takes JSON with `columns`, each with `header` and `field` or `text`.',
    );
  }
}

async function confirm(
  fileId: string,
  given: ConfirmArguments,
  context: CommandContext,
): Promise<void> {
  await run(given, context, async (installation, workspace) => {
    const needed = { right: 'confirm', workspace } as const;
    const operator = await provenOperator(installation, context, given, needed);
    const dependent = await dependentOn(installation.db, operator);
    const { sha256 } = given;
    return confirmFile(installation, { workspace, fileId, operator, sha256, dependent });
  }, fileText);
}

async function show(fileId: string, given: OutArguments, context: CommandContext): Promise<void> {
  refuseExisting(given.out);
  await run(given, context, async (installation, workspace) => {
    const file = fileView(await fileRow(installation.db, workspace, fileId));
    if (given.out !== undefined) {
      write(given.out, (await bytesOf(installation, workspace, fileId)).bytes);
    }
    return { ...file, payouts: await itemsIn(installation.db, workspace, fileId) };
  }, fileText);
}

async function handOver(
  fileId: string,
  given: OutArguments,
  context: CommandContext,
): Promise<void> {
  refuseExisting(given.out);
  await run(given, context, async (installation, workspace) => {
    const acting = { workspace, fileId, actor: ACTOR };
    const { file, bytes } = await handOverFile(installation, acting);
    write(given.out ?? '', bytes);
    return { ...file, written: given.out ?? '' };
  }, fileText);
}

/** Only its owner may read it: it names people and their accounts. */
function write(path: string, bytes: Buffer): void {
  writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 });
}

async function say(
  id: string,
  what: BankWord['what'],
  given: WordArguments,
  context: CommandContext,
): Promise<void> {
  const { reference } = given;
  await run(given, context, async (installation, workspace) => {
    const whole = { amount: null, currency: null };
    const word = { workspace, what, id, ...whole, reference, actor: ACTOR };
    return { id, outcome: await settleWord(installation, word) };
  });
}

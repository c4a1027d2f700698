// The file of an import, the report of its refused rows, and other lists that an import writes.
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Command } from 'commander';
import type { RowRefusal } from '../product/tenant/imports/index.ts';
import { ToldFailure, type CommandContext } from './context.ts';
import { addVerb, unreadable, type VerbArguments } from './installation.ts';

/** What every import of a file may be given. */
export interface FileArguments extends VerbArguments {
  readonly tenant: string;
  readonly dryRun?: boolean;
  readonly report?: string;
}

/** Refused rows that are shown; the report has all. */
const SHOWN = 10;
const REPORT_HEAD = 'line,column,code,sentence\n';

/** Adds a command that reads a file of rows. */
export function addFileVerb(parent: Command, name: string, says: string): Command {
  return addVerb(parent, name, says)
    .argument('<file>', 'CSV in UTF-8 with a header')
    .requiredOption('--tenant <id>', "the tenant's id, as printed by tenant create")
    .option('--dry-run', 'change nothing; check every row')
    .option('--report <file>', 'write line, column and code of each refused row to this file');
}

/** Ends with exit code 1 where a row was refused; the summary is printed already. */
export function requireNone(refused: number): void {
  if (refused === 0) return;
  const rows = refused === 1 ? 'One row was' : `${refused} rows were`;
  throw new ToldFailure(`${rows} refused. Correct the file and import it again.`);
}

/** Told of each refused row. */
type Refused = (why: RowRefusal) => Promise<void>;

/** Opens the file and the report for the work, shows the first refused rows, and closes both. */
export async function withRows<R>(
  file: string,
  { report }: FileArguments,
  context: CommandContext,
  work: (rows: AsyncIterable<Uint8Array>, refused: Refused) => Promise<R>,
): Promise<R> {
  const input = createReadStream(file);
  await once(input, 'open').catch(unreadable);
  const output = await outputOf(report, REPORT_HEAD).catch((error: unknown) => {
    input.destroy();
    throw error;
  });
  let shown = 0;
  const refused: Refused = async ({ line, column, code, sentence }) => {
    shown += 1;
    const place = column === '' ? `Line ${line}` : `Line ${line}, ${column}`;
    if (shown <= SHOWN) context.say(`${place}: ${code}: ${sentence}`);
    await output.write(`${line},${column},${code},"${sentence}"\n`);
  };
  try {
    return await work(input, refused);
  } finally {
    input.destroy();
    await output.close();
  }
}

/** A file that is being written. */
interface Output {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

const NOWHERE: Output = { write: async () => {}, close: async () => {} };
const WRITE_AT = 65_536;

/** A file that only its owner reads, begun anew; null: none is written. */
export async function outputOf(path: string | undefined, head: string): Promise<Output> {
  if (path === undefined) return NOWHERE;
  const handle: FileHandle = await open(path, 'w', 0o600).catch(() => {
    throw new Error(`The file ${path} cannot be written.`);
  });
  let waiting = head;
  const flush = async (): Promise<void> => {
    const text = waiting;
    waiting = '';
    await handle.appendFile(text);
  };
  return {
    async write(text) {
      waiting += text;
      if (waiting.length >= WRITE_AT) await flush();
    },
    async close() {
      await flush();
      await handle.close();
    },
  };
}

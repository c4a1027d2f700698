// Proves an export on another machine, from its lines and a public key alone: who signed it, that
// each step of history follows the one before, that the books balance and every running balance is
// the sum of its entries, and that the audit chain is what was sealed. A line at a time.
import { createHash } from 'node:crypto';
import type { ProofResult } from '../../../ledger/index.ts';
import { ChainReader, signedBy } from '../../tell/audit/index.ts';
import {
  EntrySum,
  exportBytes,
  FORMAT,
  type AccountLine,
  type BalanceLine,
  type BlockLine,
  type ChainLine,
  type StepLine,
} from './lines.ts';

const LAWS = {
  export_signed: 'The export is complete, unchanged, and signed with the given key.',
  history_continues: 'Each step of a resource starts in the state where the one before it ended.',
  entries_balance: 'The ledger entries of each step sum to zero in each currency.',
  books_balance: 'All ledger accounts of a currency sum to zero.',
  chains_are_whole: 'The entries of each running balance are numbered 1, 2, 3 and add up to it.',
  entries_agree: 'The entries of running balances are those of the steps.',
  audit_chain: 'No audit block was changed after it was sealed: rows, position, signature.',
} as const;
type Law = keyof typeof LAWS;

type EndLine = readonly ['end', ...string[]];
type Line = AccountLine | StepLine | BalanceLine | ChainLine | BlockLine | EndLine;

const NAMED = 5;

/** What an export says of itself, and whether its laws hold. */
export interface Checked {
  readonly integrator: string;
  readonly made: string;
  readonly steps: number;
  readonly blocks: number;
  readonly laws: readonly ProofResult[];
}

/** Reads the lines of an export. Throws where it is none. */
export async function checkExport(lines: AsyncIterable<string>, key: string): Promise<Checked> {
  const hash = createHash('sha256');
  let check: ExportCheck | null = null;
  for await (const text of lines) {
    if (check === null) check = new ExportCheck(text);
    else check.take(text, key, hash);
    hash.update(`${text}\n`);
  }
  if (check === null) throw new Error('The file is empty.');
  return check.end();
}

/** Where a resource stands after a step. */
interface Standing {
  readonly resource: string;
  readonly version: bigint;
  readonly state: string;
}

class ExportCheck {
  readonly #integrator: string;
  readonly #workspace: number;
  readonly #made: string;
  readonly #chain: ChainReader;
  readonly #found = new Map<Law, { count: number; readonly examples: string[] }>();
  /** Of system accounts, by id: their currencies. */
  readonly #accounts = new Map<string, string>();
  readonly #totals = new Map<string, bigint>();
  readonly #ofSteps = new EntrySum();
  readonly #ofChains = new EntrySum();
  #step: Standing | null = null;
  #balance: { readonly line: BalanceLine; number: bigint; amount: bigint } | null = null;
  #ended = false;
  #steps = 0;
  #blocks = 0;

  constructor(head: string) {
    const [format, integrator, workspace, made, keys] = arrayOf(head) as unknown[];
    if (format !== FORMAT) throw new Error('The file is no export that this release can read.');
    this.#integrator = String(integrator);
    this.#workspace = Number(workspace);
    this.#made = String(made);
    this.#chain = new ChainReader((keys as string[]).map(String));
  }

  /** Takes a line; `hash` is over all lines before it. */
  take(text: string, key: string, hash: ReturnType<typeof createHash>): void {
    try {
      this.#takeLine(arrayOf(text) as unknown as Line, key, hash);
    } catch {
      this.#wrong('export_signed', 'a line cannot be read');
    }
  }

  #takeLine(line: Line, key: string, hash: ReturnType<typeof createHash>): void {
    if (this.#ended) this.#wrong('export_signed', 'there are lines after its end');
    if (line[0] !== 'chain') this.#endBalance();
    if (line[0] === 'account') this.#accounts.set(line[1], line[3]);
    else if (line[0] === 'step') this.#takeStep(line);
    else if (line[0] === 'balance') this.#balance = { line, number: 0n, amount: 0n };
    else if (line[0] === 'chain') this.#takeEntry(line);
    else if (line[0] === 'block') this.#takeBlock(line);
    else this.#takeEnd(line, key, hash.copy().digest('hex'));
  }

  end(): Checked {
    if (!this.#ended) this.#wrong('export_signed', 'it is cut off: its last line is missing');
    for (const [currency, sum] of this.#totals) {
      if (sum !== 0n) this.#wrong('books_balance', `${currency} by ${sum}`);
    }
    if (!this.#ofSteps.equals(this.#ofChains)) this.#wrong('entries_agree', 'they differ');
    const laws = Object.entries(LAWS).map(([name, law]) => {
      const { count = 0, examples = [] } = this.#found.get(name as Law) ?? {};
      return { name, law, breaches: count, examples };
    });
    const [integrator, made] = [this.#integrator, this.#made];
    return { integrator, made, steps: this.#steps, blocks: this.#blocks, laws };
  }

  #wrong(law: Law, what: string): void {
    const found = this.#found.get(law) ?? { count: 0, examples: [] };
    found.count += 1;
    if (found.examples.length < NAMED) found.examples.push(what);
    this.#found.set(law, found);
  }

  #takeStep([, resource, version, , from, , to, , entries]: StepLine): void {
    this.#steps += 1;
    const last = this.#step?.resource === resource ? this.#step : null;
    const number = BigInt(version);
    if (number !== (last?.version ?? 0n) + 1n || from !== (last?.state ?? '')) {
      this.#wrong('history_continues', `${resource} v${version}`);
    }
    this.#step = { resource, version: number, state: to };
    const sums = new Map<string, bigint>();
    for (const [account, currency, amount, ...rest] of entries) {
      sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
      this.#totals.set(currency, (this.#totals.get(currency) ?? 0n) + BigInt(amount));
      if (rest[0] !== '') {
        this.#ofSteps.add(account, resource, version, [currency, amount, ...rest]);
      } else if (this.#accounts.get(account) !== currency) {
        this.#wrong('entries_balance', `${resource} v${version} names no account of its currency`);
      }
    }
    if ([...sums.values()].some((sum) => sum !== 0n)) {
      this.#wrong('entries_balance', `${resource} v${version}`);
    }
  }

  #takeEntry([, resource, version, amount, number, after]: ChainLine): void {
    const balance = this.#balance;
    if (balance === null) return this.#wrong('chains_are_whole', 'an entry of no account');
    const [, account, , currency] = balance.line;
    this.#ofChains.add(account, resource, version, [currency, amount, number, after]);
    balance.number += 1n;
    balance.amount += BigInt(amount);
    const fits = BigInt(number) === balance.number && BigInt(after) === balance.amount;
    if (!fits || balance.amount < 0n) this.#wrong('chains_are_whole', `${account} ${number}`);
  }

  #endBalance(): void {
    if (this.#balance === null) return;
    const { line: [, account, , , amount, count], number, amount: sum } = this.#balance;
    this.#balance = null;
    const whole = BigInt(amount) === sum && BigInt(count) === number;
    if (!whole) this.#wrong('chains_are_whole', account);
  }

  #takeBlock([, fields, texts]: BlockLine): void {
    this.#blocks += 1;
    const [number = '', at = '', lines = '', first = '', last = '', key = '', ...bytes] = fields;
    const [previous, hash, signature] = bytes.map((hex) => Buffer.from(hex, 'hex'));
    if (previous === undefined || hash === undefined || signature === undefined) {
      return this.#wrong('audit_chain', `block ${number} is cut off`);
    }
    const wrong = this.#chain.take({
      ...{ workspace: this.#workspace, number: BigInt(number), at, lines: Number(lines), key },
      ...{ first_event: BigInt(first), last_event: BigInt(last), previous, hash, signature, texts },
    });
    if (wrong !== null) this.#wrong('audit_chain', `block ${number} ${wrong}`);
  }

  #takeEnd([, digest = '', signer = '', signature = '']: EndLine, key: string, own: string): void {
    this.#ended = true;
    if (digest !== own) this.#wrong('export_signed', 'its lines were changed');
    if (signer !== key) return this.#wrong('export_signed', `it is signed with ${signer}`);
    const bytes = exportBytes(this.#integrator, digest);
    if (signedBy(key, bytes, Buffer.from(signature, 'base64url'))) return;
    this.#wrong('export_signed', 'the signature is not of the given key');
  }
}

function arrayOf(text: string): readonly unknown[] {
  const read: unknown = JSON.parse(text);
  if (!Array.isArray(read)) throw new Error('The file is no export: a line is no array.');
  return read;
}

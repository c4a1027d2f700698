// Payout files as people read them in a terminal: amounts with their currency, and what comes next.
import type { FileView, FileItem, OddEntry } from '../product/money/payout-file/index.ts';
import { columns, moneyText } from './terminal.ts';

/** What comes next in each state. */
const NEXT: Readonly<Record<FileView['state'], string>> = {
  collected: 'another operator confirms it: payout-file confirm',
  confirmed: 'hand it over once: payout-file hand-over',
  handed_over: "import the bank's statement that shows the debit: bank import",
  settled: 'nothing',
  cancelled: 'nothing; its payouts wait for the next file',
};

interface ShownFile extends FileView {
  /** Payouts that wait for another file. */
  readonly left?: number;
  readonly written?: string;
  readonly payouts?: readonly FileItem[];
}

/** One file, with its payouts where they are given. */
export function fileText(file: ShownFile): string {
  const { currency, payouts = [] } = file;
  const facts: [string, string][] = [
    ['file', file.file_id],
    ['state', file.state],
    ['next', NEXT[file.state]],
    ['total', `${moneyText(file.total, currency)} in ${counted(file.transactions)}`],
    ['format', file.format],
    ['sha256', file.sha256],
    ['message id', file.message_id],
    ['drafted', file.drafted],
    ['made by', file.made_by],
    ['confirmed by', file.confirmed_by ?? '-'],
  ];
  if (file.left) facts.push(['left', `${counted(file.left)} for another file`]);
  if (file.written) facts.push(['written to', file.written]);
  const rows = payouts.map(({ amount, state, to, transfer_id: id }) => {
    return [moneyText(amount, currency), state, to, `end-to-end id ${id.replaceAll('-', '')}`];
  });
  const head = facts.map(([name, value]) => `${name.padEnd(14)}${value}\n`).join('');
  return rows.length === 0 ? head : `${head}payouts\n${columns(rows)}`;
}

/** The files of a tenant, what waits for one, and what the bank says otherwise. */
export function listText(all: {
  readonly files: readonly FileView[];
  readonly waiting: readonly { currency: string; n: number; total: bigint | string }[];
  readonly deviating: readonly OddEntry[];
}): string {
  const files = all.files.map(({ file_id, state, transactions, total, currency, drafted }) => [
    ...[drafted.slice(0, 10), state, moneyText(total, currency), counted(transactions), file_id],
  ]);
  const waiting = all.waiting.map(({ currency, n, total }) => [
    ...[moneyText(total, currency), counted(n)],
  ]);
  const odd = all.deviating.map(({ what, id, amount, currency, reference }) => [
    ...[what, moneyText(amount, currency), id, reference],
  ]);
  return (
    part('Payout files', files, 'none') +
    part('Waiting for a file', waiting, 'nothing') +
    part('Deviating', odd, 'nothing')
  );
}

function part(name: string, rows: readonly (readonly string[])[], none: string): string {
  return rows.length === 0 ? `${name}: ${none}\n` : `${name}\n${columns(rows)}`;
}

function counted(n: number): string {
  return n === 1 ? '1 payout' : `${n} payouts`;
}

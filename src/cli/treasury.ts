// `holdfast treasury`: where the money of each currency lies, to whom it is owed, and what is our
// own; `holdfast reconcile`: open discrepancies between the processor and the ledger, oldest first.
// Both read the database alone and change nothing; exit code 1 where the two sides differ.
import type { Command } from 'commander';
import { readStanding, type Standing } from '../product/money/treasury/index.ts';
import { ToldFailure, type CommandContext } from './context.ts';
import { addVerb, amountsAsText, withInstallation } from './installation.ts';
import { moneyText } from './terminal.ts';
import { openItems, type OpenItem } from '../product/money/reconciliation/index.ts';

const SIDES = [
  ['lies', 'lies at', 'all that lies somewhere'],
  ['owed', 'is owed as', 'all that is owed'],
  ['own', 'is our own', 'all that is our own'],
] as const;

/** Adds the command `treasury`. */
export function addTreasury(program: Command, context: CommandContext): void {
  addVerb(program, 'treasury', 'show where the money lies, to whom it is owed, and that it agrees')
    .action(async (given: { json?: boolean; env?: string }) => {
      const standings = await withInstallation(given.env, context, false, ({ db }) =>
        db.transaction(readStanding, 'begin isolation level repeatable read read only'),
      );
      if (given.json === true) context.print(`${JSON.stringify(standings, amountsAsText)}\n`);
      else if (standings.length === 0) context.print('No money has moved yet.\n');
      else context.print(standings.map(page).join('\n'));
      const off = standings.filter((one) => one.off !== 0n);
      if (off.length > 0) throw new ToldFailure('What lies somewhere is not what is owed or own.');
    });
}

/** One currency of one workspace. */
function page(standing: Standing): string {
  const { workspace, currency, free, off } = standing;
  const row = (name: string, amount: bigint): string =>
    `  ${name.padEnd(34)}${moneyText(amount, currency).padStart(22)}`;
  const sides = SIDES.flatMap(([side, says, all]) => {
    const total = standing[side].reduce((sum, { amount }) => sum + amount, 0n);
    const kinds = standing[side].map(({ kind, amount }) => row(`${says} ${kind}`, amount));
    return [...kinds, row(all, total)];
  });
  const payable = free.map(({ place, amount }) => row(`payouts may take at ${place}`, amount));
  const expected = standing.lies
    .filter(({ kind }) => kind === 'opening_balances')
    .map(({ amount }) => row('still expected at the bank', amount));
  const end = off === 0n ? '  Both sides are equal.' : row('DIFFERENCE', off);
  const rows = [...sides, ...payable, ...expected, end];
  return `workspace ${workspace}  ${currency}\n${rows.join('\n')}\n`;
}

const MOST = 1_000;

/** Adds the command `reconcile`. */
export function addReconcile(program: Command, context: CommandContext): void {
  addVerb(
    program,
    'reconcile',
    "list manual reviews and discrepancies with the processor's statement",
  )
    .action(async (given: { json?: boolean; env?: string }) => {
      const items = await withInstallation(given.env, context, false, ({ db }) =>
        openItems(db, null, MOST),
      );
      if (given.json === true) context.print(`${JSON.stringify(items, amountsAsText)}\n`);
      else context.print(items.length === 0 ? 'No open items.\n' : items.map(lineOf).join(''));
    });
}

function lineOf(item: OpenItem): string {
  const { workspace, kind, why, amount, currency, shown_amount, shown_currency } = item;
  const stated = shown_amount === null ? null : moneyText(shown_amount, shown_currency ?? '');
  const shown = stated === null ? '' : `, the statement says ${stated}`;
  const target = item.resource_id === '' ? '' : `  ${item.purpose} ${item.resource_id}`;
  const what = `workspace ${workspace}  ${kind} (${why})  ${moneyText(amount, currency)}${shown}`;
  return `${ageOf(item.age_seconds)}  ${what}  ${item.id}${target}\n`;
}

/** Such as `2d 03h`, `03h 07m` or `07m 12s`. */
function ageOf(seconds: number): string {
  const part = (size: number, letter: string, most = Infinity): string =>
    `${String(Math.floor(seconds / size) % most).padStart(2, '0')}${letter}`;
  if (seconds >= 86_400) return `${part(86_400, 'd')} ${part(3_600, 'h', 24)}`;
  if (seconds >= 3_600) return `${part(3_600, 'h')} ${part(60, 'm', 60)}`;
  return `${part(60, 'm')} ${part(1, 's', 60)}`;
}

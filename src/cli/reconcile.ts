// `holdfast reconcile`: open discrepancies between the processor and the ledger, oldest first, read
// from the database alone. Changes nothing.
import type { Command } from 'commander';
import { openItems, type OpenItem } from '../product/money/reconciliation/index.ts';
import type { CommandContext } from './context.ts';
import { addVerb, amountsAsText, withInstallation } from './installation.ts';
import { moneyText } from './terminal.ts';

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

// Output for people in terminal tools: colours if the terminal shows them, times in the reader's
// zone.
import { digitsOf, displayAmount } from '../core/currency.ts';
import type { CommandContext } from './context.ts';

/** Digits of a currency that ISO does not list. */
const USUAL_DIGITS = 2;

type Painted = (text: string) => string;

/** Ways to highlight a text; without colours each returns it unchanged. */
export interface Paint {
  readonly bold: Painted;
  readonly dim: Painted;
  readonly red: Painted;
  readonly green: Painted;
  readonly yellow: Painted;
}

/** The ways, with or without colours. */
export function paintOf(colours: boolean): Paint {
  const between = (on: number, off: number): Painted =>
    colours ? (text) => `\u001b[${on}m${text}\u001b[${off}m` : (text) => text;
  return {
    bold: between(1, 22),
    dim: between(2, 22),
    red: between(31, 39),
    green: between(32, 39),
    yellow: between(33, 39),
  };
}

/** An HTTP status, coloured by its meaning. */
export function paintStatus(status: number | null, { green, red }: Paint): string {
  const good = status !== null && status >= 200 && status < 300;
  return good ? green(String(status)) : red(String(status ?? 'no answer'));
}

/** Hours, minutes and seconds of a wire time, in the reader's zone. */
export function clockTime(at: string): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour12: false });
}

/** Writes one thing: a line of JSON for programs, or the text for people. */
export type Tell = (record: Readonly<Record<string, unknown>>, text: string) => void;

/** Writes to stdout in the format the command was given. */
export function tellTo(context: CommandContext, json: boolean | undefined): Tell {
  return (record, text) =>
    context.print(json === true ? `${JSON.stringify(record)}\n` : `${text}\n`);
}

/** An amount of minor units as people read it, such as `EUR 12.00`. */
export function moneyText(minor: bigint | string, currency: string): string {
  return displayAmount(BigInt(minor), currency, digitsOf(currency) ?? USUAL_DIGITS);
}

/** Rows in columns, indented; each column as wide as its longest text. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (row: readonly string[]): string =>
    row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  ').trimEnd();
  return rows.map((row) => `  ${line(row)}\n`).join('');
}

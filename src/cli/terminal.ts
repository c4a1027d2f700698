// Output for people in terminal tools: colours if the terminal shows them, times in the reader's
// zone.
import type { CommandContext } from './context.ts';

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

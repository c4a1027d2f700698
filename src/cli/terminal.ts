// How the terminal tools write for people: colours where a terminal shows them, times as the reader
// has them. Answers for looks only.
import type { CommandContext } from './context.ts';

type Painted = (text: string) => string;

/** Ways to set a text off; each gives it back as it is where there are no colours. */
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

/** A status of HTTP, by what it means for who reads it. */
export function paintStatus(status: number | null, { green, red }: Paint): string {
  const good = status !== null && status >= 200 && status < 300;
  return good ? green(String(status)) : red(String(status ?? 'no answer'));
}

/** Hours, minutes and seconds of a moment on the wire, in the reader's own zone. */
export function clockTime(at: string): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour12: false });
}

/** Writes one thing: a line of JSON for programs, or the text for people. */
export type Tell = (record: Readonly<Record<string, unknown>>, text: string) => void;

/** A way to write to stdout, as the verb was asked to. */
export function tellTo(context: CommandContext, json: boolean | undefined): Tell {
  return (record, text) =>
    context.print(json === true ? `${JSON.stringify(record)}\n` : `${text}\n`);
}

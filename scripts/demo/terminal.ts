// How the story looks in a terminal: short, aligned, coloured only if the terminal shows colours.
import type { Step } from './scene.ts';

/** The text of one step. */
export function render(step: Step, number: number, colours: boolean): string {
  const paint = (code: number, end: number, text: string): string =>
    colours ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  const dim = (text: string): string => paint(2, 22, text);
  const lines = [`${paint(36, 39, String(number).padStart(2))}  ${paint(1, 22, step.title)}`];
  if (step.call !== null) {
    const { method, host, path } = step.call;
    lines.push(`    ${dim(`${method} ${host}${shorten(path)} -> ${step.status}`)}`);
  }
  const facts = Object.entries(step.facts).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...facts.map(([name]) => name.length));
  for (const [name, value] of facts) {
    lines.push(`    ${dim(name.padEnd(width))}  ${tint(textOf(value), paint)}`);
  }
  lines.push(...tableLines(step.rows).map((line, at) => `    ${at === 0 ? dim(line) : line}`));
  return `${lines.join('\n')}\n\n`;
}

/** Shortens a line to a usual terminal's width. */
function shorten(path: string): string {
  const ids = /[0-9a-f]{8}-[0-9a-f-]{27}|(?:acct|esc|kyc)_[0-9a-z]{26}/g;
  return path.replaceAll(ids, (id) => `${id.slice(0, 8)}...`);
}

function tint(text: string, paint: (code: number, end: number, text: string) => string): string {
  if (/^(?:success|verified|Success)$/.test(text)) return paint(32, 39, text);
  return /^(?:failed|refused)$/.test(text) ? paint(31, 39, text) : text;
}

/** A fact as one line; of a summary its display amount. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return String((value as Record<string, unknown>)['display_amount'] ?? JSON.stringify(value));
}

function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  // Numbers, and the head above them, are right-aligned.
  const numbers = widths.map((_, column) =>
    rows.slice(1).every((row) => /^-?[\d.]+$/.test(row[column] ?? '')),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return numbers[column] === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

// `$now` in a statement stands for the database's time, which is read first and sent as a
// parameter: an update that asks a clock itself may not find the same time wherever it runs.
import type { Statement } from './statement.ts';

const MARK = '$now';

/** Reads the time of the database. */
export const CLOCK: Statement = { name: 'clock', text: 'select clock_timestamp() as now' };

/** True where the time must be read first. */
export function asksTime(statement: Statement | string): boolean {
  return (typeof statement === 'string' ? statement : statement.text).includes(MARK);
}

/** The statement with the time as its last parameter. */
export function dated(statement: Statement | string, now: unknown): Statement {
  const { text, values = [], ...named } =
    typeof statement === 'string' ? { text: statement } : statement;
  const slot = `$${values.length + 1}::timestamptz`;
  return { ...named, text: text.replaceAll(MARK, () => slot), values: [...values, now] };
}

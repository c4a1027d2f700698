// Changes that no test can or should notice, and why. A change is known by its file, the source
// line it is in, and what stands in whose place, so that a row outlives moved lines.
import { brief, type Mutant } from './mutator.ts';

export interface Reason {
  readonly file: string | RegExp;
  /** The line of the source, trimmed; any line of the file where it is left out. */
  readonly line?: string | RegExp;
  /** Any kind of change, any text, any replacement where one is left out. */
  readonly kind?: string;
  readonly from?: string;
  readonly to?: string;
  readonly why: string;
}

/** Constant columns of tables. */
const ALIKE = [
  "constant: ['workspace', 'machine', 'at', 'actor', 'detail'],",
  "constant: ['workspace', 'status', 'record', 'record_version', 'answer'],",
  "constant: ['workspace', 'currency'],",
  "constant: ['workspace', 'accrues', 'updated'],",
];

export const REASONS: readonly Reason[] = [
  {
    file: 'src/core/card-number.ts',
    kind: 'name',
    why: 'the names of the brands are for who reads the table',
  },
  {
    file: 'src/core/card-number.ts',
    line: "if (ascii) return digits < MIN_DIGITS ? '' : text;",
    why: 'a short cut: plain ASCII is its own normal form, and few digits are no number',
  },
  {
    file: 'src/core/card-number.ts',
    line: 'digits += end - start;',
    why: 'it only spares the search where there are too few digits',
  },
  {
    file: 'src/core/forms.ts',
    line: 'if (!names.some((name) => fields[name] === null)) return body;',
    why: 'it only spares a copy where nothing is to be left out',
  },
  {
    file: 'src/core/money.ts',
    line: 'if (left === 0n) return parts;',
    why: 'a short cut: with nothing left over the loop below ends at once',
  },
  {
    file: 'src/core/ids.ts',
    line: 'let bad = uuid.length === 36 ? 0 : NOT_A_DIGIT;',
    from: '0',
    to: '1',
    why: 'only more than 15 says that a character is no digit',
  },
  {
    file: 'src/core/schema.ts',
    line: 'if (kept === item) continue;',
    why: 'it only spares a copy of what holds no decimals',
  },
  {
    file: 'src/core/json-scan.ts',
    kind: 'off by one',
    from: '1',
    to: '2',
    line: /return -1;$/,
    why: 'any number below zero says that these are no digits',
  },
  {
    file: 'src/core/random.ts',
    line: 'let lastMs = -1;',
    why: 'every clock shows a later time than either at the first id',
  },
  {
    file: 'src/core/random.ts',
    line: 'let counter = 0;',
    why: 'the first id starts a millisecond, and with it the counter anew',
  },
  {
    file: 'src/core/json.ts',
    line: "if (typeof item === 'object' && item !== null) count += countKeys(item);",
    why: 'a short cut: what is no object has no keys, which countKeys says as well',
  },
  {
    file: 'src/core/json.ts',
    line: 'if (text.length > 64) return JSON.stringify(text);',
    why: 'both ways give the same text; the bound only chooses the quicker one',
  },
  {
    file: 'src/core/json.ts',
    line: 'if (c < 0x20 || c > 0x7e || c === 0x22 || c === 0x5c) return JSON.stringify(text);',
    why: 'JSON.stringify gives the same text for the characters at these bounds',
  },
  {
    file: /^src\/(?:product|sandbox)\/(?!.*machine)/,
    line: /^name: '[a-z_]+',$/,
    kind: 'name',
    why: "a command's name stands in the log of faults, and nowhere else",
  },
  {
    file: /^src\/(?:product|sandbox)\//,
    line: 'batchable: true,',
    kind: 'boolean',
    why: 'a command that runs alone is slower, and decides the same',
  },
  {
    file: 'src/engine/unit-of-work.ts',
    line: 'sums.set(entry.currency, (sums.get(entry.currency) ?? 0n) + entry.amount);',
    from: '+',
    to: '-',
    why: 'each sum is negative then, and zero where it was zero',
  },
  {
    file: 'src/engine/rows.ts',
    line: 'if (rows.size >= (table.remembered ?? 0)) {',
    why: 'only a table that says how many rows are remembered comes here',
  },
  {
    file: 'src/engine/rows.ts',
    line: "const type = (table.columns as Record<string, string>)[column] ?? 'text';",
    why: 'the column of an index is one of its table',
  },
  {
    file: 'src/engine/engine.ts',
    line: 'if (this.#arrivals.length > 0) this.#turn();',
    from: '>',
    to: '>=',
    why: 'a turn with nothing to do does nothing',
  },
  {
    file: 'src/engine/engine.ts',
    line: 'this.#turning = true;',
    from: 'true',
    to: 'false',
    why: 'a second turn after the first finds nothing left to do',
  },
  {
    file: 'src/engine/engine.ts',
    line: 'if (this.#turning) return;',
    from: 'this.#turning',
    to: 'false',
    why: 'a second turn after the first finds nothing left to do',
  },
  {
    file: 'src/engine/write.ts',
    line: '} while (now() < end);',
    from: '<',
    to: '<=',
    why: 'one more look in the very millisecond in which the time is up changes no answer',
  },
  {
    file: 'src/engine/write.ts',
    line: 'if (constant === undefined || first === undefined) return NONE;',
    from: 'NONE',
    to: '[]',
    why: 'such a table has one text in any case; its name only ends otherwise',
  },
  {
    file: 'src/engine/tables.ts',
    line: 'rank: 0,',
    why: 'a table of which no row is ever locked has no place among the locks',
  },
  ...ALIKE.map((line) => ({
    file: /^src\/(?:engine|ledger)\/tables\.ts$/,
    line,
    why: 'it only says which columns are sent as one value',
  })),
  {
    file: 'src/ledger/tables.ts',
    line: /^rank: \d+,$/,
    kind: 'off by one',
    why: 'ranks only say an order: these are five apart, and no entry is ever locked',
  },
  {
    file: 'src/ledger/chart.ts',
    line: 'names.set(name, (id = derivedUuid(`ledger/${name}`)));',
    kind: 'swap',
    why: 'an id that is not remembered is derived once more, and is the same',
  },
  {
    file: 'src/ledger/chart.ts',
    line: 'if (id === undefined) {',
    from: 'id === undefined',
    to: 'true',
    why: 'an id that is not remembered is derived once more, and is the same',
  },
  {
    file: /^src\/ledger\/(?:integrator|proofs)\.ts$/,
    line: /\?\.n \?\? 0n\)[;,]$/,
    kind: 'off by one',
    why: 'a count always gives a row; the type of a result does not know it',
  },
  {
    file: 'src/product/money/escrow/api.ts',
    line: "if (record.status !== 'OPEN' || left <= 0) return record;",
    why: 'the last look is a millisecond earlier or later, and gives the same',
    from: '0',
  },
  {
    file: 'src/product/money/escrow/api.ts',
    line: "if (record.status !== 'OPEN' || left <= 0) return record;",
    from: '<=',
    to: '<',
    why: 'with exactly no time left it looks once more, after no pause',
  },
  {
    file: 'src/product/money/payout/settle.ts',
    line: "if (row.state !== 'FAILED' || row.due === null || !anyParked(decision, row)) return;",
    from: '||',
    why: 'where no clock runs, one that is stopped once more is as it was',
  },
  {
    file: /^src\/(?:product|sandbox)\//,
    line: 'batchable: false,',
    kind: 'boolean',
    why: 'only two that race for one row in one batch could tell; races have tests of their own',
  },
  {
    file: /^src\/product\/(?:money|people)\/.*(?:settle|clock|cancel|attempt-deposit|create)\.ts$/,
    line: /\{ status: 200, payload: null \}(?: as const)?;$/,
    kind: 'off by one',
    why: 'no client sees the status: a worker or another operation runs such a command',
  },
  {
    file: 'src/engine/queue.ts',
    line: '#moved = 0;',
    why: 'before the first work there is nothing whose stillness counts',
  },
  {
    file: /^src\/engine\//,
    line: /^const [A-Z_]+_MS = [\d_]+;$/,
    kind: 'off by one',
    why: 'a limit in time that is a millisecond longer is the same limit',
  },
  {
    file: 'src/core/json.ts',
    line: 'while (to > 0 && (keys[to - 1] as string) > key) {',
    from: '>',
    to: '>=',
    why: 'two keys of an object are never equal, and before the first is nothing that is greater',
  },
  {
    file: 'src/core/json.ts',
    line: 'scan.decimals.length === 0',
    from: 'scan.decimals.length === 0',
    to: 'false',
    why: 'a short cut: without decimals nothing is marked and nothing placed',
  },
  {
    file: 'src/core/json-trace.ts',
    line: /^while \(end < bytes\.length && bytes\[end\] !== QUOTE\)/,
    from: '<',
    to: '<=',
    why: 'it is asked for whole strings only, which end before the bytes do',
  },
  {
    file: 'src/core/json-scan.ts',
    line: 'for (let n = 0; n < word.length; n += 1) {',
    from: '0',
    to: '1',
    why: 'the word was found by its first character',
  },
  {
    file: 'src/core/schema.ts',
    line: "return { code: 'invalid_type', expected: 'string', input: undefined };",
    kind: 'name',
    from: "'string'",
    why: 'what is absent is reported as absent, whatever was expected',
  },
  {
    file: 'src/core/ids.ts',
    line: /^const PAIRS = Array\.from\(\{ length: 1024 \}/,
    kind: 'off by one',
    why: 'ten bits never ask for a pair beyond the last',
  },
  {
    file: 'src/core/offloaded-text.ts',
    line: 'export const OFFLOADED_FROM = 4_096;',
    kind: 'off by one',
    why: 'both ways read the same value; the bound only chooses the one with less to copy',
  },
  {
    file: 'src/product/money/invoice/laws.ts',
    from: '>',
    to: '>=',
    line: /sum\(.*amount > 0/,
    why: 'nothing is added to a sum by what is zero',
  },
  {
    file: 'src/core/time.ts',
    line: 'const fraction = end > 19 ? end - 20 : 0;',
    why: 'an end of 20 is refused three lines further down whatever this says',
  },
  {
    file: 'src/core/input.ts',
    line: "if (typeof value !== 'object' || value === null) return undefined;",
    why: 'zod names no place inside something that is no object',
  },
  {
    file: 'src/core/card-number.ts',
    line: "brand('American Express', 37, 37, [15]),",
    from: '37',
    to: '38',
    why: 'what begins with 38 is a Diners Club number of the same length',
  },
  {
    file: 'src/core/card-number.ts',
    line: 'if (c >= ZERO && c <= NINE) digits += 1;',
    from: '1',
    to: '2',
    why: 'it only spares the search where there are too few digits',
  },
  {
    file: 'src/core/card-number.ts',
    line: 'else if (c >= ASCII_END) ascii = false;',
    from: '>=',
    to: '>',
    why: 'the first character after ASCII is a control character, and its own normal form',
  },
  {
    file: 'src/core/json.ts',
    line: 'scan.decimals.length === 0',
    from: '0',
    to: '1',
    why: 'each decimal is noted by where it starts and ends: there is never one note',
  },
  {
    file: 'src/core/json-scan.ts',
    line: 'const PLAIN = Uint8Array.from({ length: 256 }, (_, c) =>',
    kind: 'off by one',
    why: 'no byte is above 255',
  },
  {
    file: 'src/core/ids.ts',
    line: 'return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);',
    from: '13',
    to: '14',
    why: 'reading a number ends at the hyphen',
  },
  {
    file: 'src/engine/engine.ts',
    line: 'forget(pending);',
    why: 'what is discovered again replaces what was there; it is freed earlier, that is all',
  },
  {
    file: 'src/engine/engine.ts',
    line: /dropLate\(\[pending\]\)\.length > 0/,
    from: '>',
    to: '>=',
    why: 'a command that was answered finds nothing to do alone',
  },
  {
    file: 'src/engine/engine.ts',
    line: 'pending.fail(new Refusal(engineRefusals.RESOURCE_BUSY, {}, 1));',
    from: '1',
    to: '2',
    why: 'the seconds to wait are advice',
  },
  {
    file: /^src\/(?:product|sandbox)\//,
    line: /refuse\(.+, \{\}, 1\);$/,
    from: '1',
    to: '2',
    why: 'the seconds to wait are advice',
  },
  {
    file: 'src/engine/transaction.ts',
    line: /^if \(cut\) broken = true;$|catch\(\(\) => \(broken = true\)\)/,
    why: 'the pool drops a connection that has ended, whatever is said of it',
  },
  {
    file: 'src/engine/queue.ts',
    line: /^let (?:mine|looks) = 0;$|^const mostLooks = /,
    why: 'a share of a batch is a bound; one row or look more or less is as good',
  },
  {
    file: 'src/product/money/escrow/cancel.ts',
    line: /Number\(shares\[at\] \?\? 0n\)/,
    from: '0n',
    to: '1n',
    why: 'there is a share for each line; the type of an array does not know it',
  },
  {
    file: 'src/product/money/refund/funding.ts',
    from: '0',
    to: '1',
    line: /funded/,
    why: 'the count only says whether to look again at once',
  },
  {
    file: 'src/product/money/escrow/decide.ts',
    line: 'if (saleTerms.escrow !== id) return null;',
    to: 'false',
    why: 'an id that is no escrow has no row to lock, which refuses as well',
  },
  {
    file: 'src/product/people/business/store.ts',
    line: 'else if (person.registration !== null) name(decision, entity.id, person, null);',
    to: 'true',
    why: 'a person without a registration is refused before the command, except in a race',
  },
];

function isOf(wanted: string | RegExp, text: string): boolean {
  return typeof wanted === 'string' ? wanted === text : wanted.test(text);
}

function rowFor({ file, context, kind, from, to }: Mutant): Reason | undefined {
  return REASONS.find(
    (row) =>
      isOf(row.file, file) &&
      isOf(row.line ?? context, context) &&
      (row.kind ?? kind) === kind &&
      (row.from ?? brief(from)) === brief(from) &&
      (row.to ?? brief(to)) === brief(to),
  );
}

/** Why a survivor may live, or null. */
export function reasonFor(mutant: Mutant): string | null {
  return rowFor(mutant)?.why ?? null;
}

/** True where a row names the very change, not a line or a kind in which others are noticed. */
export function isKnown(mutant: Mutant): boolean {
  const row = rowFor(mutant);
  return row?.line !== undefined && row.from !== undefined && row.to !== undefined;
}

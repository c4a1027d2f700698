// Changes in the core that no test can or should notice, and why.

/** Why a change may go unnoticed. */
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

export const CORE_REASONS: readonly Reason[] = [
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
    line: 'let ascii = true;',
    kind: 'boolean',
    why: 'plain ASCII is its own normal form',
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
    from: '1024',
    to: '1025',
    why: 'ten bits never ask for a pair beyond the last',
  },
  {
    file: 'src/core/offloaded-text.ts',
    line: 'export const OFFLOADED_FROM = 4_096;',
    kind: 'off by one',
    why: 'both ways read the same value; the bound only chooses the one with less to copy',
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
];

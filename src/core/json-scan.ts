// Checks a document against RFC 8259 and the limits of [G-70], over bytes known to be UTF-8: one
// pass, no recursion, no allocation per token. Values and duplicate keys are json.ts's part.

/** Deepest nesting. [G-70] */
export const JSON_DEPTH_MAX = 32;

export type ScanFault = 'malformed' | 'deep' | 'nul' | 'surrogate' | 'control';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LETTER_U = 0x75;
const END = -1;
/** 1 for bytes allowed unescaped in a string. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, c) =>
  c >= 0x20 && c !== QUOTE && c !== BACKSLASH ? 1 : 0,
);
const SIMPLE_ESCAPES = new Set([...'"\\/bfnrt'].map((c) => c.charCodeAt(0)));
const WORDS: ReadonlyMap<number, Uint8Array> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]),
);

/** One scan of one document. `keys` and `decimals` are valid once `run` has returned null. */
export class JsonScan {
  /** Number of keys in all objects together. */
  keys = 0;
  /** Start and end of each number that is not a plain integer within +-(2^53 - 1). */
  readonly decimals: number[] = [];
  /** Current offset; after an error, the offset of the error. */
  at = 0;
  private readonly bytes: Uint8Array;
  private depth = 0;
  /** Bit n is set if the container at depth n is an object. */
  private objects = 0;
  private fault: ScanFault = 'malformed';

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Scans the whole document; null if it is well formed and within the limits. */
  run(): ScanFault | null {
    for (;;) {
      const c = this.space();
      if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
        if (this.depth === JSON_DEPTH_MAX) return 'deep';
        this.open(c === OPEN_OBJECT);
        // Both closing brackets are 2 above their opening ones.
        if (this.space() !== c + 2) {
          if (c === OPEN_OBJECT && !this.key()) return this.fault;
          continue;
        }
        this.depth -= 1;
        this.at += 1;
      } else if (!this.scalar(c)) {
        return this.fault;
      }
      const more = this.afterValue();
      if (more !== 'value') return more;
    }
  }

  /** After a value: closes containers until another value ('value') or the end (null) is due. */
  private afterValue(): ScanFault | 'value' | null {
    for (;;) {
      const c = this.space();
      if (this.depth === 0) return c === END ? null : 'malformed';
      const inObject = ((this.objects >>> (this.depth - 1)) & 1) === 1;
      if (c === COMMA) {
        this.at += 1;
        if (inObject && !this.key()) return this.fault;
        return 'value';
      }
      if (c !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return 'malformed';
      this.depth -= 1;
      this.at += 1;
    }
  }

  private open(isObject: boolean): void {
    const bit = 1 << this.depth;
    this.objects = isObject ? this.objects | bit : this.objects & ~bit;
    this.depth += 1;
    this.at += 1;
  }

  /** Skips white space; returns the next byte without consuming it. */
  private space(): number {
    const { bytes } = this;
    let { at } = this;
    while (at < bytes.length) {
      const c = bytes[at] as number;
      if (c > 0x20 || (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09)) {
        this.at = at;
        return c;
      }
      at += 1;
    }
    this.at = at;
    return END;
  }

  /** A key and its colon. */
  private key(): boolean {
    if (this.space() !== QUOTE || !this.string()) return false;
    this.keys += 1;
    if (this.space() !== COLON) return false;
    this.at += 1;
    return true;
  }

  private scalar(c: number): boolean {
    if (c === QUOTE) return this.string();
    if (c === MINUS || (c >= ZERO && c <= NINE)) return this.number();
    const word = WORDS.get(c);
    if (word === undefined) return false;
    for (let n = 0; n < word.length; n += 1) {
      if (this.bytes[this.at + n] !== word[n]) return false;
    }
    this.at += word.length;
    return true;
  }

  /** A string from its opening quote; leaves `at` after the closing one, or at the error. */
  private string(): boolean {
    const { bytes } = this;
    const end = bytes.length;
    let at = this.at + 1;
    while (at < end) {
      const c = bytes[at] as number;
      if (PLAIN[c] === 1) {
        at += 1;
      } else if (c === QUOTE) {
        this.at = at + 1;
        return true;
      } else if (c === BACKSLASH) {
        at = this.escape(at);
        if (at < 0) return false;
      } else {
        return this.fail(c === 0 ? 'nul' : 'control');
      }
    }
    return false;
  }

  /** The offset after the escape at `at`, or -1. */
  private escape(at: number): number {
    const c = this.bytes[at + 1];
    if (c !== LETTER_U) return c !== undefined && SIMPLE_ESCAPES.has(c) ? at + 2 : -1;
    const unit = this.hex4(at + 2);
    if (unit < 0) return -1;
    if (unit === 0) return this.fail('nul') ? 0 : -1;
    if (unit < 0xd800 || unit > 0xdfff) return at + 6;
    const paired =
      unit <= 0xdbff && this.bytes[at + 6] === BACKSLASH && this.bytes[at + 7] === LETTER_U;
    const low = paired ? this.hex4(at + 8) : 0;
    if (low < 0) return -1;
    if (low < 0xdc00 || low > 0xdfff) return this.fail('surrogate') ? 0 : -1;
    return at + 12;
  }

  /** The value of four hexadecimal digits, or -1. */
  private hex4(at: number): number {
    let value = 0;
    for (let n = at; n < at + 4; n += 1) {
      const c = this.bytes[n] ?? 0;
      // Sets the lower-case bit, which digits have anyway.
      const lower = c | 0x20;
      const isDigit = c >= ZERO && c <= NINE;
      if (!isDigit && (lower < 0x61 || lower > 0x66)) return -1;
      value = value * 16 + (isDigit ? c - ZERO : lower - 0x57);
    }
    return value;
  }

  private number(): boolean {
    const { bytes } = this;
    const first = this.at;
    let at = first;
    const negative = bytes[at] === MINUS;
    if (negative) at += 1;
    const start = at;
    // Exact up to 2^53, and above it only "greater" matters.
    let value = 0;
    let c = bytes[at] ?? END;
    while (c >= ZERO && c <= NINE) {
      value = value * 10 + (c - ZERO);
      at += 1;
      c = bytes[at] ?? END;
    }
    const digits = at - start;
    if (digits === 0 || (digits > 1 && bytes[start] === ZERO)) return false;
    this.at = at;
    if (c === POINT) {
      if (!this.digits(at + 1)) return false;
      c = bytes[this.at] ?? END;
    }
    if (c !== END && (c | 0x20) === 0x65) {
      const sign = bytes[this.at + 1];
      if (!this.digits(this.at + (sign === PLUS || sign === MINUS ? 2 : 1))) return false;
    }
    const plain = value <= Number.MAX_SAFE_INTEGER && !(negative && value === 0);
    if (!plain || this.at !== at) this.decimals.push(first, this.at);
    return true;
  }

  /** At least one digit from `at` on; leaves `this.at` after the last. */
  private digits(at: number): boolean {
    let end = at;
    while (end < this.bytes.length) {
      const c = this.bytes[end] as number;
      if (c < ZERO || c > NINE) break;
      end += 1;
    }
    this.at = end;
    return end > at;
  }

  private fail(fault: ScanFault): false {
    this.fault = fault;
    return false;
  }
}

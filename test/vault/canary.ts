// Markers for personal data and secrets, and the search for them in everything a run leaves: plain,
// in other cases, reversed, base64, hex, escaped.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What every marker begins with; nothing else in the workspace has it. */
const CORE = 'Zqxjkv';

/** Makes markers, each once, and remembers what each stands for. */
export class Canaries {
  readonly #fields: string[] = [];

  /** How many were planted. */
  get planted(): number {
    return this.#fields.length;
  }

  /** A marker for a field. */
  mark(field: string): string {
    this.#fields.push(field);
    return `${CORE}${this.#fields.length}x`;
  }

  /** Notes a value that is a marker itself, such as a telephone number. */
  note(field: string, value: string): string {
    this.#fields.push(field);
    return value;
  }

  /** Which field a found text seems to come from. */
  fieldOf(found: string): string {
    const at = /zqxjkv(\d+)x/i.exec(found)?.[1];
    return at === undefined ? '' : (this.#fields[Number(at) - 1] ?? '');
  }
}

function reversed(text: string): string {
  return [...text].toReversed().join('');
}

/** Base64 of a text wherever it stands among other bytes, without the digits that those share. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const whole = Buffer.from('\0'.repeat(offset) + text).toString('base64').replaceAll('=', '');
    const bits = (offset + Buffer.byteLength(text)) * 8;
    return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
  });
}

function escapedForms(text: string): string[] {
  const codes = [...text].map((sign) => sign.charCodeAt(0).toString(16).padStart(2, '0'));
  const body = codes.map((code) => `\\u00${code}`).join('');
  const url = codes.map((code) => `%${code}`).join('');
  return [body, body.toUpperCase().replaceAll('\\U', '\\u'), url, url.toUpperCase()];
}

/** Every form in which a text could have slipped out. */
export function formsOf(text: string): Buffer[] {
  const cases = [text, text.toLowerCase(), text.toUpperCase()];
  const bases = [...new Set([...cases, ...cases.map(reversed)])];
  const forms = bases.flatMap((base) => {
    const hex = Buffer.from(base).toString('hex');
    const wide = Buffer.from(base, 'utf16le').toString('latin1');
    return [base, hex, hex.toUpperCase(), wide, ...base64Forms(base), ...escapedForms(base)];
  });
  return [...new Set(forms)].map((form) => Buffer.from(form, 'latin1'));
}

/** Bytes that decide whether a form may begin at a place, and all values of so many. */
const HEAD = 3;
const HEADS = 2 ** (8 * HEAD);

/** Searches bytes for texts, all of their forms in one pass. */
export class Search {
  readonly #forms = new Map<number, Buffer[]>();
  readonly #begins = new Uint8Array(HEADS);

  constructor(texts: readonly string[]) {
    for (const form of [...new Set(texts)].flatMap(formsOf)) {
      const head = form.readUIntBE(0, HEAD);
      this.#begins[head] = 1;
      this.#forms.set(head, [...(this.#forms.get(head) ?? []), form]);
    }
  }

  /** What of it stands in these bytes: each form once, with what surrounds it. */
  in(bytes: Buffer): string[] {
    const found = new Map<Buffer, number>();
    let head = 0;
    for (let last = 0; last < bytes.length; last += 1) {
      head = ((head << 8) | (bytes[last] ?? 0)) & (HEADS - 1);
      if (this.#begins[head] === 0) continue;
      const at = last - HEAD + 1;
      for (const form of this.#forms.get(head) ?? []) {
        const isHere = at >= 0 && form.equals(bytes.subarray(at, at + form.length));
        if (isHere && !found.has(form)) found.set(form, at);
      }
    }
    return [...found].map(([form, at]) => {
      const around = bytes.subarray(Math.max(0, at - 60), at + form.length + 60);
      return around.toString('latin1').replaceAll(/[^\x20-\x7e]/g, '.');
    });
  }

  /** What of it stands in the files below a folder, as `file: text`. */
  below(folder: string, except: (path: string) => boolean): { hits: string[]; bytes: number } {
    const hits: string[] = [];
    let bytes = 0;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || except(path)) continue;
      const content = readFileSync(path);
      bytes += content.length;
      hits.push(...this.in(content).map((hit) => `${path}: ${hit}`));
    }
    return { hits, bytes };
  }
}

/** The text that all markers have. */
export const MARKS: readonly string[] = [CORE];

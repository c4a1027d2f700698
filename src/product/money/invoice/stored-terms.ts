// The stored form of a sale's terms: values by position instead of by name, ids as bytes or by
// their distance from the invoice's own. The function `sale_terms` of the database reads it too; a
// test holds that both read the same. Text that begins with `{` is the form of 0.2: JSON.
import { isUuid, millisOfUuid, UUID_BYTES, writeUuid } from '../../../core/ids.ts';
import { addMicros, instantFromMillis, millisOf } from '../../../core/time.ts';
import type {
  AgreedFee,
  AgreedLineItem,
  AgreedMethod,
  AgreedRecipient,
  AgreedReturn,
  AgreedTax,
  SaleTerms,
} from './sale-terms.ts';
import type { InvoiceDocumentRow } from './tables.ts';

/**
 * How a value is stored; 0 where it is absent. `number`: as it is, so never absent, like a time.
 * `value`: as it is. `account`: without its prefix. `time`: microseconds after that of the id.
 * `id`: its place among the ids, from 1; below 0, how far it is from the invoice's; or a text that
 * is no UUID.
 */
type Kind = 'number' | 'value' | 'account' | 'time' | 'id' | Shape | readonly [Shape];

interface Shape {
  readonly names: readonly string[];
  readonly kinds: readonly Kind[];
  readonly places: ReadonlyMap<string, number>;
}

/**
 * Fields by position, a number first. Rows hold them, so they never change: what is not listed is
 * stored by its name, in an object after them.
 */
function shapeOf<T>(fields: { readonly [K in keyof T]?: Kind }): Shape {
  const names = Object.keys(fields);
  const places = new Map(names.map((name, at) => [name, at]));
  return { names, places, kinds: Object.values(fields) };
}

const NAMED = {
  description: 'value',
  reference_type: 'value',
  reference_id: 'value',
  metadata: 'value',
} as const;
const FEE = shapeOf<AgreedFee>({ amount: 'number', id: 'id', description: 'value' });
const TAX = shapeOf<AgreedTax>({
  amount: 'number',
  inclusive: 'value',
  id: 'id',
  description: 'value',
});
const RECIPIENT = shapeOf<AgreedRecipient>({
  amount: 'number',
  id: 'id',
  wallet: 'id',
  kept_back: 'id',
  account_id: 'account',
  method: 'id',
  fee: FEE,
  source: 'id',
  ...NAMED,
});
const LINE = shapeOf<AgreedLineItem>({
  amount: 'number',
  id: 'id',
  recipients: [RECIPIENT],
  product_sku: 'value',
  ...NAMED,
  tax: TAX,
  share: 'id',
  type: 'value',
});
const PART = { amount: 'number', id: 'id', subitem: 'id', wallet: 'id' } as const;
const METHOD = shapeOf<AgreedMethod>({ ...PART, token: 'value' });
const RETURN = shapeOf<AgreedReturn>({ ...PART, charge: 'id' });
const TERMS = shapeOf<SaleTerms>({
  total: 'number',
  currency: 'value',
  created: 'time',
  account_id: 'account',
  lines: [LINE],
  methods: [METHOD],
  ...NAMED,
  kind: 'value',
  escrow: 'id',
  of: 'id',
  authorized: 'id',
  reserve: 'value',
  returns: [RETURN],
});

/** Leads the form, so that no program reads it as JSON that does not know it. */
const FORM = '1';
const ACCOUNT = 'acct_';
const INSTANT_LENGTH = 27;
/** Where the 24 bits of a UUID begin in which the ids of one invoice differ. */
const NEAR = 30;
/** Of a UUID that is no UUIDv7, and says no time. */
const LAST_MS = 9_000_000_000_000;

type Values = Record<string, unknown>;

/** From when the times of an invoice's terms are counted, in milliseconds. */
function originOf(id: string): number {
  const ms = millisOfUuid(id);
  return ms > LAST_MS ? 0 : ms;
}

function lastBits(id: string): number {
  return Number.parseInt(id.slice(NEAR), 16);
}

class Packer {
  readonly #own: string;
  readonly #common: string;
  readonly #ids = new Map<string, number>();

  constructor(own: string) {
    this.#own = own;
    this.#common = own.slice(0, NEAR);
  }

  /** The ids that are not near the invoice's. */
  get ids(): string {
    const bytes = Buffer.allocUnsafe(this.#ids.size * UUID_BYTES);
    let end = 0;
    for (const id of this.#ids.keys()) end = writeUuid(id, bytes, end);
    return bytes.toString('base64');
  }

  pack({ kinds, places }: Shape, from: Values): unknown[] {
    const packed: unknown[] = kinds.map(() => 0);
    let rest: Values | undefined;
    for (const name in from) {
      const value = from[name];
      if (value === undefined) continue;
      const place = places.get(name);
      const stored = place === undefined ? undefined : this.#stored(kinds[place] as Kind, value);
      if (place === undefined || stored === undefined) (rest ??= {})[name] = value;
      else packed[place] = stored;
    }
    if (rest === undefined) while (packed.length > 1 && packed.at(-1) === 0) packed.pop();
    else packed.push(rest);
    return packed;
  }

  /** Undefined for what has no place in this form. */
  #stored(kind: Kind, value: unknown): unknown {
    if (kind === 'number') return value;
    if (kind === 'value') return value === 0 ? undefined : value;
    if (typeof kind !== 'string') {
      if ('names' in kind) return this.pack(kind, value as Values);
      return (value as Values[]).map((one) => this.pack(kind[0], one));
    }
    if (typeof value !== 'string') return undefined;
    if (kind === 'id') return isUuid(value) ? this.#place(value) : value;
    if (kind === 'account') return value.startsWith(ACCOUNT) ? value.slice(5) : undefined;
    if (value.length !== INSTANT_LENGTH) return undefined;
    return (millisOf(value) - originOf(this.#own)) * 1000 + Number(value.slice(23, 26));
  }

  #place(id: string): number {
    if (id.startsWith(this.#common)) {
      return -1 - ((lastBits(id) - lastBits(this.#own)) & 0xff_ffff);
    }
    const known = this.#ids.get(id);
    if (known !== undefined) return known;
    this.#ids.set(id, this.#ids.size + 1);
    return this.#ids.size;
  }
}

/** The terms of the invoice with this UUID as they are stored. */
function packTerms(id: string, terms: SaleTerms): string {
  const packer = new Packer(id);
  const values = packer.pack(TERMS, terms as unknown as Values);
  return FORM + JSON.stringify([packer.ids, ...values]);
}

class Unpacker {
  readonly #own: string;
  /** Hexadecimal. */
  readonly #ids: string;

  constructor(own: string, ids: string) {
    this.#own = own;
    this.#ids = Buffer.from(ids, 'base64').toString('hex');
  }

  unpack({ names, kinds }: Shape, values: readonly unknown[], first = 0): Values {
    const all: Values = {};
    for (let at = 0; at < names.length && at + first < values.length; at += 1) {
      const [kind, value] = [kinds[at] as Kind, values[at + first]];
      if (value === 0 && kind !== 'number' && kind !== 'time') continue;
      all[names[at] as string] = this.#value(kind, value);
    }
    return Object.assign(all, values[names.length + first]);
  }

  #value(kind: Kind, value: unknown): unknown {
    if (kind === 'number' || kind === 'value') return value;
    if (kind === 'account') return ACCOUNT + String(value);
    if (kind === 'id') return typeof value === 'number' ? this.#id(value) : value;
    if (kind === 'time') {
      return addMicros(instantFromMillis(originOf(this.#own)), value as number);
    }
    if ('names' in kind) return this.unpack(kind, value as unknown[]);
    return (value as unknown[][]).map((one) => this.unpack(kind[0], one));
  }

  #id(place: number): string {
    if (place < 0) {
      const bits = (lastBits(this.#own) - place - 1) & 0xff_ffff;
      return this.#own.slice(0, NEAR) + bits.toString(16).padStart(6, '0');
    }
    const hex = this.#ids.slice(place * 32 - 32, place * 32);
    const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
    return `${parts.join('-')}-${hex.slice(20)}`;
  }
}

/** Terms as they are stored in either form. A form of a later release is a fault. */
function unpackTerms(id: string, text: string): SaleTerms {
  if (text.startsWith('{')) return JSON.parse(text) as SaleTerms;
  if (!text.startsWith(FORM)) throw new Error('the terms have a form of a later release');
  const values = JSON.parse(text.slice(FORM.length)) as unknown[];
  const unpacker = new Unpacker(id, values[0] as string);
  return unpacker.unpack(TERMS, values, 1) as unknown as SaleTerms;
}

const known = new WeakMap<object, SaleTerms>();

/** Terms as stored: a document row, or the part of it that they are read from. */
export type StoredTerms = Pick<InvoiceDocumentRow, 'id' | 'document'>;

/** The terms in a document row, unpacked once for each row in memory. */
export function saleTermsOf(row: StoredTerms): SaleTerms {
  let saleTerms = known.get(row);
  if (saleTerms === undefined) known.set(row, (saleTerms = unpackTerms(row.id, row.document)));
  return saleTerms;
}

/** A new document row with these terms. */
export function documentRow(workspace: number, id: string, terms: SaleTerms): InvoiceDocumentRow {
  const row = { workspace, id, document: packTerms(id, terms) };
  known.set(row, terms);
  return row;
}

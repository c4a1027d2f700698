// Building blocks of bodies and queries: each validates one kind of field, describes itself for
// OpenAPI and coerces nothing. [G-70] Their sentences must not hold what the caller sent.
import { z } from 'zod';
import { WIRE_ID_MAX } from './ids.ts';
import type { WirePrefix } from './ids.ts';
import { Decimal } from './json.ts';
import { isFraction, LINE_CAP } from './money.ts';
import { isStorable, report } from './text-fields.ts';

export { fileText } from './file-text.ts';
export { readInput } from './input.ts';
export { identifier, name, reference, text, TEXT_MAX } from './text-fields.ts';

/** Largest metadata, in bytes of JSON. [G-30] */
export const METADATA_MAX_BYTES = 16_384;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const CURRENCY = /^[A-Z]{3}$/;
const CAP = Number(LINE_CAP);

/** An object that refuses unknown fields. [G-71] */
export function strictObject<T extends z.core.$ZodLooseShape>(shape: T): ReturnType<
  typeof z.strictObject<T>
> {
  return z.strictObject(shape);
}

/** A body that is taken as sent, by an operation that accepts bytes. */
export const rawBody = z.custom<Buffer>((value) => value instanceof Buffer);

function minorUnits(minimum: 0 | 1): z.ZodNumber {
  const sentence = `must be an integer from ${minimum} to ${CAP}, in minor units`;
  return z
    .number({ error: (issue) => (issue.input === undefined ? undefined : sentence) })
    .check((payload) => {
      const { value } = payload;
      const whole = Number.isSafeInteger(value) && !Object.is(value, -0);
      if (!whole || value < minimum || value > CAP) report(payload, sentence);
    })
    .meta({ type: 'integer', minimum, maximum: CAP, description: 'Minor units.' });
}

/** An amount in minor units, 0 to 99,999,999,999, as a JSON integer literal. [G-30] */
export function amount(): z.ZodNumber {
  return minorUnits(0);
}

/** An amount of at least one minor unit. */
export function positiveAmount(): z.ZodNumber {
  return minorUnits(1);
}

/** A whole number in a query, from `least` to `most`: at most 11 digits. */
export function numberText(least: number, most: number): z.ZodString {
  return z
    .string()
    .check((payload) => {
      const { value } = payload;
      const whole = /^(?:0|[1-9]\d{0,10})$/.test(value);
      if (whole && Number(value) >= least && Number(value) <= most) return;
      report(payload, `must be an integer from ${least} to ${most}`);
    })
    .meta({ type: 'integer', minimum: least, maximum: most });
}

function pattern(shape: RegExp, length: number, sentence: string): z.ZodString {
  return textThat((value) => value.length === length && shape.test(value), sentence);
}

/** A text for which `holds` is true; `sentence` says what it must be. */
export function textThat(holds: (value: string) => boolean, sentence: string): z.ZodString {
  return z.string().check((payload) => {
    if (!holds(payload.value)) report(payload, sentence);
  });
}

/** A text of a fixed shape, which `sentence` describes. */
export function shaped(shape: RegExp, maxLength: number, sentence: string): z.ZodString {
  const holds = (value: string): boolean => value.length <= maxLength && shape.test(value);
  return textThat(holds, sentence).meta({ maxLength, pattern: shape.source });
}

/** As `shaped`, or empty. */
export function shapedOrEmpty(shape: RegExp, maxLength: number, sentence: string): z.ZodString {
  const holds = (value: string): boolean => value.length <= maxLength && shape.test(value);
  const pattern = `^$|${shape.source}`;
  return textThat((value) => value === '' || holds(value), sentence).meta({ maxLength, pattern });
}

/** Three upper-case letters. Whether the tenant has enabled it is checked later. [G-30] */
export function currencyCode(): z.ZodString {
  return pattern(CURRENCY, 3, 'must be a currency code of three upper-case letters').meta({
    pattern: CURRENCY.source,
    description: 'ISO 4217 code.',
  });
}

/** A UUID in canonical form (lower case). */
export function uuid(): z.ZodString {
  return pattern(UUID, 36, 'must be a lower-case UUID').meta({ pattern: UUID.source });
}

/**
 * An id on the wire. Only its length is checked: a malformed id is answered exactly like an unknown
 * one. [G-11]
 */
export function wireIdOf(prefix: WirePrefix): z.ZodString {
  return z
    .string()
    .check((payload) => void isStorable(payload, WIRE_ID_MAX))
    .meta({ maxLength: WIRE_ID_MAX, description: `\`${prefix}_\` and 26 characters of base32.` });
}

/** A field that is accepted and ignored. [G-71] */
export function ignored(): z.ZodOptional<z.ZodUnknown> {
  return z.unknown().optional().meta({ description: 'Accepted and ignored.' });
}

export type Metadata = Record<string, unknown>;

/**
 * The caller's own object, at most 16 kB of JSON. [G-30] Its decimals become numbers; a number that
 * would lose digits (too large, or an integer beyond 2^53) is refused.
 */
export function metadata(): z.ZodRecord<z.ZodString, z.ZodUnknown> {
  return z
    .record(z.string(), z.unknown())
    .check((payload) => {
      const kept = numbersOf(payload.value);
      if (kept === LOSSY) {
        report(payload, 'must contain only integers up to 2^53 - 1 and finite numbers');
        return;
      }
      payload.value = kept as Metadata;
      if (Buffer.byteLength(JSON.stringify(kept)) > METADATA_MAX_BYTES) {
        report(payload, `must be at most ${METADATA_MAX_BYTES} bytes of JSON`);
      }
    })
    .meta({ description: `At most ${METADATA_MAX_BYTES} bytes of JSON.` });
}

const LOSSY = Symbol('lossy');
const INTEGER = /^-?[0-9]+$/;

/** The value with each Decimal as a number; the same object if there is none; or LOSSY. */
function numbersOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Decimal) {
    const number = Number(value.lexeme);
    const lost = INTEGER.test(value.lexeme) && !Number.isSafeInteger(number);
    return Number.isFinite(number) && !lost ? number : LOSSY;
  }
  let copy: Record<PropertyKey, unknown> | null = null;
  const source = value as Record<string, unknown>;
  for (const key of Object.keys(source)) {
    const item = source[key];
    const kept = numbersOf(item);
    if (kept === LOSSY) return LOSSY;
    if (kept === item) continue;
    // The reader's value stays unchanged: the request's fingerprint is taken from it.
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<PropertyKey, unknown>;
    copy[key] = kept;
  }
  return copy ?? value;
}

/**
 * A fraction from 0 to 1 with at most 6 decimals, as a decimal string or a JSON number without
 * exponent; becomes the string that `feeOf` takes. [G-46]
 */
export function decimalFraction(): z.ZodType<string, string | number> {
  const schema = z
    .unknown()
    .check((payload) => {
      const { value } = payload;
      let lexeme: unknown = value;
      if (value instanceof Decimal) lexeme = value.lexeme;
      else if (typeof value === 'number') lexeme = String(value);
      if (typeof lexeme === 'string' && isFraction(lexeme)) payload.value = lexeme;
      else if (value === undefined) payload.issues.push(missing());
      else report(payload, 'must be a decimal from 0 to 1 with at most 6 decimal places');
    })
    .meta({
      anyOf: [
        { type: 'string', pattern: '^(?:0(?:\\.[0-9]{1,6})?|1(?:\\.0{1,6})?)$' },
        { type: 'number', minimum: 0, maximum: 1 },
      ],
      description: 'A decimal fraction; 0.029 is 2.9 %.',
    });
  return schema as unknown as z.ZodType<string, string | number>;
}

function missing(): z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType> {
  return { code: 'invalid_type', expected: 'string', input: undefined };
}

/** Zod's optional with `null` read as absent, without the cost of a transform. */
const NullIsAbsent = z.core.$constructor(
  'HoldfastOptional',
  (inst: z.ZodOptional, def: z.ZodOptional['_zod']['def'] & { present?: z.ZodType }) => {
    z.ZodOptional.init(inst, def);
    inst._zod.parse = (payload, ctx) => {
      if (payload.value === null || payload.value === undefined) {
        payload.value = undefined;
        return payload;
      }
      return (def.present as z.ZodType)._zod.run(payload, ctx);
    };
  },
);

/** A field that may be absent or `null`, which mean the same; becomes undefined. [G-70] */
export function optional<S extends z.ZodType>(schema: S): z.ZodOptional<S> {
  // OpenAPI shows the nullable; reading goes straight to the schema.
  const def = { type: 'optional', innerType: z.nullable(schema), present: schema } as const;
  return new NullIsAbsent(def) as unknown as z.ZodOptional<S>;
}

/** After this many errors a list is not read further: an answer names no more fields. */
const FAULTS_MAX = 50;

/**
 * Zod's array, ended at its 50th error. Otherwise a megabyte of wrong items blocked the event loop
 * for seconds, and more errors than a call may have arguments crashed the call.
 */
const EndsAtFaults = z.core.$constructor(
  'HoldfastList',
  (inst: z.ZodArray, def: z.ZodArray['_zod']['def']) => {
    z.ZodArray.init(inst, def);
    inst._zod.parse = (payload, ctx) => {
      const input: unknown = payload.value;
      if (!Array.isArray(input)) {
        payload.issues.push({ code: 'invalid_type', expected: 'array', input, inst });
        return payload;
      }
      const values: unknown[] = [];
      for (let at = 0; at < input.length && payload.issues.length < FAULTS_MAX; at += 1) {
        const item = def.element._zod.run({ value: input[at], issues: [] }, ctx);
        const { value, issues } = item as z.core.ParsePayload;
        for (const issue of issues) {
          payload.issues.push({ ...issue, path: [at, ...(issue.path ?? [])] });
        }
        values.push(value);
      }
      payload.value = values;
      return payload;
    };
  },
);

/** A list of any length; its errors are reported up to a limit. [G-72] */
export function list<S extends z.ZodType>(element: S): z.ZodArray<S> {
  return new EndsAtFaults({ type: 'array', element }) as unknown as z.ZodArray<S>;
}

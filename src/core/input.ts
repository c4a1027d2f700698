// Validates a value against a schema and reports what is wrong: catalogue codes and one short
// sentence per field. [G-72] No sentence and no path may hold a value that was sent.
import type { z } from 'zod';
import { fieldPath } from './field-path.ts';
import { inputRefusals } from './input-refusals.ts';
import type { InputCode } from './input-refusals.ts';
import { Decimal } from './json.ts';
import { OffloadedText } from './offloaded-text.ts';

/** A value that fits its schema, or what is wrong with it. */
export type InputResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      /** Distinct, in the catalogue's order of precedence; at least one. */
      readonly codes: readonly InputCode[];
      /** Sentence by path, such as `line_items[0].amount`; the whole value is `body`. */
      readonly errors: Readonly<Record<string, string>>;
    };

/** Most fields named in one answer. */
const PLACES_MAX = 50;
const PRECEDENCE = Object.keys(inputRefusals) as InputCode[];
const REQUIRED = 'is required';
const UNKNOWN = 'is not a known field';
const TYPE_SENTENCES: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be an integer',
  int: 'must be an integer',
  boolean: 'must be true or false',
  object: 'must be an object',
  record: 'must be an object',
  array: 'must be an array',
  null: 'must be null',
};

/** Validates a value and reports all errors at once, up to 50 fields. */
export function readInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
): InputResult<z.output<S>> {
  const result = schema.safeParse(value, PARSE_CONTEXT);
  if (result.success) return { ok: true, value: result.data };
  const found = new Set<InputCode>();
  // The first sentence about a field is kept.
  const errors = new Map<string, string>();
  const tell = (path: string, sentence: string): void => {
    if (!errors.has(path)) errors.set(path, sentence);
  };
  for (const issue of result.error.issues) {
    const isUnknown = issue.code === 'unrecognized_keys';
    const holder = isUnknown ? issue.path : issue.path.slice(0, -1);
    const isScalar = standsForScalar(valueAt(value, holder));
    found.add(isScalar ? 'INVALID_FIELD' : isUnknown ? 'UNKNOWN_FIELD' : codeOf(issue, value));
    if (errors.size >= PLACES_MAX) continue;
    if (isScalar) {
      // Zod accepts any class instance as an object, but here it stands for a number or a text.
      tell(fieldPath(holder) || 'body', TYPE_SENTENCES['object'] as string);
    } else if (isUnknown) {
      for (const key of issue.keys.slice(0, PLACES_MAX - errors.size)) {
        tell(fieldPath([...issue.path, key]), UNKNOWN);
      }
    } else {
      tell(fieldPath(issue.path) || 'body', issue.message);
    }
  }
  return {
    ok: false,
    codes: PRECEDENCE.filter((code) => found.has(code)),
    errors: Object.fromEntries(errors),
  };
}

function standsForScalar(value: unknown): boolean {
  return value instanceof Decimal || value instanceof OffloadedText;
}

function codeOf(issue: z.core.$ZodIssue, root: unknown): InputCode {
  if (issue.code === 'custom' && issue.params?.['code'] === 'CARD_NUMBER_REFUSED') {
    return 'CARD_NUMBER_REFUSED';
  }
  const isAbsent = issue.path.length > 0 && valueAt(root, issue.path) === undefined;
  return isAbsent ? 'MISSING_FIELD' : 'INVALID_FIELD';
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (!Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** The default sentence for an issue of a schema without one of its own. */
function sentenceOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return REQUIRED;
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'string' && issue.input instanceof OffloadedText) return 'is too long';
      return TYPE_SENTENCES[issue.expected] ?? 'has an invalid type';
    case 'too_big':
      return `must ${limit('at most', issue.maximum, issue.origin)}`;
    case 'too_small':
      return `must ${limit('at least', issue.minimum, issue.origin)}`;
    case 'invalid_value':
      return oneOf(issue.values.map(String));
    case 'invalid_union':
      return 'must have one of the allowed types';
    case 'unrecognized_keys':
      return UNKNOWN;
    default:
      return 'has an invalid format';
  }
}

function oneOf(values: readonly string[]): string {
  const named = `must be one of: ${values.filter((value) => value !== '').join(', ')}`;
  return values.includes('') ? `${named}, or empty` : named;
}

function limit(side: string, bound: unknown, origin: string): string {
  const number = `${side} ${String(bound)}`;
  if (origin === 'array') return `contain ${number} ${bound === 1 ? 'item' : 'items'}`;
  return origin === 'string' ? `be ${number} characters` : `be ${number}`;
}

const PARSE_CONTEXT = { error: sentenceOf, reportInput: false } as const;

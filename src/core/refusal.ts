// A refusal is an expected "no": the request was understood, nothing was changed, and the caller
// learns which rule applied. It is no Error (a fault: a bug or a broken dependency) and no state (a
// declined card changes something and is committed). Each module declares its refusals as rows.

/** One row of the catalogue of refusals. */
export interface RefusalSpec {
  /** NOUN_RULE, upper snake; what a program compares. */
  readonly code: string;
  /** HTTP status. [G-11] */
  readonly status: number;
  /** One plain sentence for a person; never contains input. */
  readonly sentence: string;
  /** Who can fix it. */
  readonly act: 'caller' | 'user' | 'operator';
  /** True if the same request may succeed later unchanged. */
  readonly retry: boolean;
  /** The rule's source, such as "G-33" or "seed: Errors". */
  readonly cites: string;
}

/** A refusal of one request, thrown as a value; no stack, no input, no other tenant's id. */
export class Refusal {
  readonly spec: RefusalSpec;
  /** Sentences by the path of the input at fault, such as `line_items[0].amount`. [G-72] */
  readonly fields: Readonly<Record<string, string>>;
  /** Further top-level members that a protocol requires, such as OAuth's. */
  readonly retryAfter: number | null;

  constructor(
    spec: RefusalSpec,
    fields: Readonly<Record<string, string>> = {},
    retryAfter: number | null = null,
  ) {
    this.spec = spec;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/** Makes a refusal: `throw refuse(refusals.INVOICE_NOT_OPEN)`. */
export function refuse(
  spec: RefusalSpec,
  fields: Readonly<Record<string, string>> = {},
  retryAfter: number | null = null,
): Refusal {
  return new Refusal(spec, fields, retryAfter);
}

type Row = Omit<RefusalSpec, 'code'>;

/** A row of `defineRefusals`. The same request is refused again until something changes. */
export function no(
  status: number,
  act: RefusalSpec['act'],
  cites: string,
  sentence: string,
): Row {
  return { status, sentence, act, retry: false, cites };
}

/** A row of `defineRefusals`. The same request may succeed later, unchanged. */
export function notYet(...row: Parameters<typeof no>): Row {
  return { ...no(...row), retry: true };
}

/** Declares a module's refusals: keys are codes, their order is the order of precedence. */
export function defineRefusals<const T extends Record<string, Row>>(
  rows: T,
): { readonly [K in keyof T]: RefusalSpec } {
  const specs = Object.entries(rows).map(([code, row]) => [code, { code, ...row }] as const);
  return Object.fromEntries(specs) as { readonly [K in keyof T]: RefusalSpec };
}

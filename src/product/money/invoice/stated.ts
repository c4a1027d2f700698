// What a caller states of a sale, a line item or a recipient and gets back unchanged. Each field is
// declared here once; bodies, the stored terms and records follow.
import { z } from 'zod';
import { metadata, optional, reference, TEXT_MAX } from '../../../core/schema.ts';

type Metadata = ReturnType<typeof metadata>;
type Fields = Readonly<Record<string, z.ZodString | Metadata>>;

type Body<F extends Fields> = { [K in keyof F]: z.ZodOptional<F[K]> };
type Recorded<F extends Fields> = {
  [K in keyof F]: F[K] extends z.ZodString ? z.ZodString : z.ZodNullable<Metadata>;
};
type Shown<F extends Fields> = { [K in keyof F]: z.output<Recorded<F>[K]> };

/** The fields in stored terms; absent facts are left out. */
type StatedOf<F extends Fields> = { readonly [K in keyof F]?: z.output<F[K]> | undefined };

class StatedFields<F extends Fields> {
  /** Their schemas in a request body, and in a record. */
  readonly body: Body<F>;
  readonly record: Recorded<F>;
  readonly #absent: Shown<F>;
  readonly #names: readonly (keyof F & string)[];

  constructor(fields: F) {
    this.#names = Object.keys(fields);
    const each = (make: (field: z.ZodType) => unknown): Record<string, unknown> =>
      Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, make(field)]));
    const isText = (field: z.ZodType): boolean => field instanceof z.ZodString;
    const nullable = z.record(z.string(), z.unknown()).nullable();
    this.body = each(optional) as Body<F>;
    this.record = each((field) => (isText(field) ? z.string() : nullable)) as Recorded<F>;
    this.#absent = each((field) => (isText(field) ? '' : null)) as Shown<F>;
  }

  /** Only these fields of `from`, those that it has. */
  of(from: StatedOf<F>): StatedOf<F> {
    return this.#copy(from, {}) as StatedOf<F>;
  }

  /** These fields as records show them: what is absent is '' or null. */
  shown(from: StatedOf<F>): Shown<F> {
    return this.#copy(from, { ...this.#absent }) as Shown<F>;
  }

  #copy(from: StatedOf<F>, into: { [K in keyof F]?: unknown }): typeof into {
    for (const name of this.#names) if (from[name] !== undefined) into[name] = from[name];
    return into;
  }
}

const named = {
  reference_type: reference(),
  reference_id: reference(),
  description: reference(TEXT_MAX),
  metadata: metadata(),
};

/** Of a sale and of a recipient. */
export const namedFields = new StatedFields(named);
/** Of a line item. */
export const lineFields = new StatedFields({ product_sku: reference(), ...named });

export type StatedName = Parameters<typeof namedFields.of>[0];
export type StatedLine = Parameters<typeof lineFields.of>[0];

// A body with two forms, told apart by one field: each form has its own schema, so that errors are
// as precise as if there were only one.
import { z } from 'zod';

/** The fields of `other` that `own` does not have. */
function apart(own: z.ZodObject, other: z.ZodObject): readonly string[] {
  return Object.keys(other.shape).filter((name) => !Object.hasOwn(own.shape, name));
}

/** The body without those fields where they are `null`, which means absent. [G-70] */
function leaveOut(body: unknown, names: readonly string[]): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const fields = body as Readonly<Record<string, unknown>>;
  if (!names.some((name) => fields[name] === null)) return body;
  const rest = Object.entries(fields).filter(([name, of]) => of !== null || !names.includes(name));
  return Object.fromEntries(rest);
}

/** Zod's union would try both schemas and only report that neither fits. */
const FormsByField = z.core.$constructor(
  'HoldfastForms',
  (inst: z.ZodUnion, def: z.ZodUnion['_zod']['def'] & { readonly field: string }) => {
    z.ZodUnion.init(inst, def);
    const [without, having] = def.options as [z.ZodObject, z.ZodObject];
    const [ofHaving, ofWithout] = [apart(without, having), apart(having, without)];
    inst._zod.parse = (payload, ctx) => {
      const value = (payload.value ?? {}) as Readonly<Record<string, unknown>>;
      const plain = (value[def.field] ?? null) === null;
      payload.value = leaveOut(payload.value, plain ? ofHaving : ofWithout);
      return (plain ? without : having)._zod.run(payload, ctx);
    };
  },
);

/**
 * The form `having` if the body has the field, else the form `without`. Fields of the other form
 * may be `null`. [G-70]
 */
export function formsBy<A extends z.ZodObject, B extends z.ZodObject>(
  field: string,
  without: A,
  having: B,
): z.ZodUnion<[A, B]> {
  const def = { type: 'union', options: [without, having], field } as const;
  return new FormsByField({ ...def, inclusive: true }) as unknown as z.ZodUnion<[A, B]>;
}

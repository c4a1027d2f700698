// A body that has one of two forms, told apart by a field of the second: each is read by its own
// schema, so that what is wrong is said as clearly as if there were no other. Refuses to know what
// the forms mean.
import { z } from 'zod';

/** zod's union, which would try both and then say only that neither fits. */
const FormsByField = z.core.$constructor(
  'HoldfastForms',
  (inst: z.ZodUnion, def: z.ZodUnion['_zod']['def'] & { readonly field: string }) => {
    z.ZodUnion.init(inst, def);
    inst._zod.parse = (payload, ctx) => {
      const value = (payload.value ?? {}) as Readonly<Record<string, unknown>>;
      const [without, having] = def.options as [z.ZodType, z.ZodType];
      return ((value[def.field] ?? null) === null ? without : having)._zod.run(payload, ctx);
    };
  },
);

/** A body of the form `having` where it has the field, else of the form `without`. */
export function formsBy<A extends z.ZodType, B extends z.ZodType>(
  field: string,
  without: A,
  having: B,
): z.ZodUnion<[A, B]> {
  const def = { type: 'union', options: [without, having], field } as const;
  return new FormsByField({ ...def, inclusive: true }) as unknown as z.ZodUnion<[A, B]>;
}

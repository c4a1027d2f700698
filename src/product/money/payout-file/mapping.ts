// Which columns a payout file in CSV has. [G-91]
import { z } from 'zod';

/** What a column may show of a payout. */
export const FIELD_NAMES = [
  'end_to_end_id',
  'amount',
  'amount_minor',
  'currency',
  'holder_name',
  'iban',
  'bic',
  'reference',
  'execute_on',
  'debtor_iban',
  'debtor_name',
  'file_id',
] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

const header = z.string().min(1).max(64);

/** The columns of a CSV: each shows a field of the payout, or the same text in each row. */
export const csvMapping = z.strictObject({
  delimiter: z.enum([',', ';', '\t']).default(','),
  columns: z
    .array(
      z.union([
        z.strictObject({ header, field: z.enum(FIELD_NAMES) }),
        z.strictObject({ header, text: z.string().max(255) }),
      ]),
    )
    .min(1)
    .max(50),
});
export type CsvMapping = z.output<typeof csvMapping>;

/** The columns of a CSV where none are named: every field under its own name. */
export const PLAIN_MAPPING: CsvMapping = {
  delimiter: ',',
  columns: FIELD_NAMES.map((field) => ({ header: field, field })),
};

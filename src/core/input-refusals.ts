// Refusals of a body or query for its form: not JSON, or not the declared schema.
import { defineRefusals, no, refuse, type Refusal } from './refusal.ts';

/** Refusals of the reader and of the schemas, in order of precedence. [G-70, G-75] */
export const inputRefusals = defineRefusals({
  MEDIA_TYPE_UNSUPPORTED: no(415, 'caller', 'G-70',
    'This endpoint does not support the Content-Type of the request.'),
  CHARSET_UNSUPPORTED: no(415, 'caller', 'G-70', 'The request body must be encoded in UTF-8.'),
  BODY_TOO_LARGE: no(413, 'caller', 'G-70', 'The request body is too large for this endpoint.'),
  BODY_NOT_ALLOWED: no(400, 'caller', 'G-70', 'This endpoint does not accept a request body.'),
  INPUT_ERROR: no(400, 'caller', 'G-70', 'The request body is not valid JSON.'),
  JSON_TOO_DEEP: no(400, 'caller', 'G-70', 'The JSON is nested more than 32 levels deep.'),
  DUPLICATE_KEY: no(400, 'caller', 'G-70', 'A JSON object contains the same key more than once.'),
  UNKNOWN_FIELD: no(400, 'caller', 'G-70',
    'The request contains a field that this endpoint does not know.'),
  MISSING_FIELD: no(400, 'caller', 'G-70', 'A required field is missing.'),
  INVALID_FIELD: no(400, 'caller', 'G-70', 'A field has an invalid type, format or value.'),
  CARD_NUMBER_REFUSED: no(400, 'caller', 'G-75',
    'A text field contains a card number. Card numbers are never accepted as text.'),
});

export type InputCode = keyof typeof inputRefusals;

/** A refusal of one field, whose sentence begins with a verb: `must be a day`. */
export function wrong(field: string, sentence: string): Refusal {
  return refuse(inputRefusals.INVALID_FIELD, { [field]: sentence });
}

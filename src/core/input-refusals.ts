// Refusals of a body or query for its form: not JSON, or not the declared schema.
import { defineRefusals } from './refusal.ts';

/** Refusals of the reader and of the schemas, in order of precedence. [G-70, G-75] */
export const inputRefusals = defineRefusals({
  MEDIA_TYPE_UNSUPPORTED: {
    status: 415,
    sentence: 'This endpoint does not support the Content-Type of the request.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  CHARSET_UNSUPPORTED: {
    status: 415,
    sentence: 'The request body must be encoded in UTF-8.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  BODY_TOO_LARGE: {
    status: 413,
    sentence: 'The request body is too large for this endpoint.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  BODY_NOT_ALLOWED: {
    status: 400,
    sentence: 'This endpoint does not accept a request body.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  INPUT_ERROR: {
    status: 400,
    sentence: 'The request body is not valid JSON.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  JSON_TOO_DEEP: {
    status: 400,
    sentence: 'The JSON is nested more than 32 levels deep.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  DUPLICATE_KEY: {
    status: 400,
    sentence: 'A JSON object contains the same key more than once.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  UNKNOWN_FIELD: {
    status: 400,
    sentence: 'The request contains a field that this endpoint does not know.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  MISSING_FIELD: {
    status: 400,
    sentence: 'A required field is missing.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  INVALID_FIELD: {
    status: 400,
    sentence: 'A field has an invalid type, format or value.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  CARD_NUMBER_REFUSED: {
    status: 400,
    sentence: 'A text field contains a card number. Card numbers are never accepted as text.',
    act: 'caller',
    retry: false,
    cites: 'G-75',
  },
});

export type InputCode = keyof typeof inputRefusals;

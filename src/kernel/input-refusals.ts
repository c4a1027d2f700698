// Refusals of a body or query for its form: not JSON, or not the declared schema.
import { defineRefusals } from './refusal.ts';

/** Refusals of the reader and of the schemas, in order of precedence. [G-70, G-75] */
export const inputRefusals = defineRefusals({
  MEDIA_TYPE_UNSUPPORTED: {
    status: 415,
    sentence: 'The media type of the body is not one that this endpoint reads.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  CHARSET_UNSUPPORTED: {
    status: 415,
    sentence: 'The body must be sent as UTF-8.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  BODY_TOO_LARGE: {
    status: 413,
    sentence: 'The body is larger than this endpoint reads.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  BODY_NOT_ALLOWED: {
    status: 400,
    sentence: 'This endpoint takes no body.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  INPUT_ERROR: {
    status: 400,
    sentence: 'The body is not valid JSON.',
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
    sentence: 'The JSON has an object in which a key stands twice.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  UNKNOWN_FIELD: {
    status: 400,
    sentence: 'The request has a field that this endpoint does not know.',
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
    sentence: 'A field has a wrong type, shape or range.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  CARD_NUMBER_REFUSED: {
    status: 400,
    sentence: 'A text holds a card number; card numbers are never stored as text.',
    act: 'caller',
    retry: false,
    cites: 'G-75',
  },
});

export type InputCode = keyof typeof inputRefusals;

// What a failed check at Stripe Identity means, as one table from its codes. A code that is not
// here is for operators: nobody is denied for a reason that we do not know. [G-51]
import type { CheckDecision } from '../identity/port.ts';

type Meaning = readonly [state: 'waiting' | CheckDecision['state'], ...reasons: readonly string[]];

const UNVERIFIED: Meaning = ['denied', 'NOT_VERIFIED'];
const NO_TAX_NUMBER: Meaning = ['denied', 'TAX_NUMBER_NOT_CONFIRMED'];

/** Each `last_error.code` of a session. */
export const MEANT: Readonly<Record<string, Meaning>> = {
  // Begun and not sent, or without a camera: the person may go on, here or with another device.
  abandoned: ['waiting'],
  device_not_supported: ['waiting'],
  // Nobody can be made to agree, and Stripe does not serve every country: people decide instead.
  consent_declined: ['review'],
  country_not_supported: ['review'],
  document_expired: ['denied', 'DOCUMENT_EXPIRED'],
  document_type_not_supported: ['denied', 'DOCUMENT_NOT_ACCEPTED'],
  document_unverified_other: UNVERIFIED,
  id_number_insufficient_document_data: UNVERIFIED,
  id_number_mismatch: NO_TAX_NUMBER,
  id_number_unverified_other: NO_TAX_NUMBER,
  selfie_document_missing_photo: ['denied', 'DOCUMENT_NOT_ACCEPTED'],
  selfie_face_mismatch: UNVERIFIED,
  selfie_manipulated: UNVERIFIED,
  selfie_unverified_other: UNVERIFIED,
  under_supported_age: ['denied', 'UNDERAGE'],
  // Neither is asked for; an account may ask for them all the same.
  email_unverified_other: UNVERIFIED,
  email_verification_declined: ['incomplete', 'INFORMATION_INCOMPLETE'],
  phone_unverified_other: ['denied', 'PHONE_NOT_CONFIRMED'],
  phone_verification_declined: ['incomplete', 'PHONE_NOT_CONFIRMED'],
};

/** What a session that needs input means; `code` null: the person has not been there yet. */
export function meaningOf(code: string | null): Meaning {
  if (code === null) return ['waiting'];
  return (Object.hasOwn(MEANT, code) && MEANT[code]) || ['review'];
}

const RULE = /^[a-z_]{1,32}$/;

/** A code as the result of a rule: 1 for people to see, 2 for a failure. */
export function ruleOf(code: string | null, state: string): string[] {
  if (code === null) return [];
  const name = RULE.test(code) ? code : 'other';
  return [`${name}:${state === 'review' ? 1 : 2}`];
}

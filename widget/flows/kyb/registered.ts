// The fields of a registration, apart from the words for them. [G-54]

/** What a business outside the US states of its registration. */
export const REGISTERED = [
  ...(['legal_form', 'registration_number', 'register', 'vat_number'] as const),
  ...(['street', 'street2', 'postal_code', 'city', 'region'] as const),
];
export type Registered = (typeof REGISTERED)[number];

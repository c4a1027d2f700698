// What a mail address looks like.

/**
 * One `@`, something before it, a name with a dot after it, no blanks; more only delivery can tell.
 */
const EMAIL = /^[^\s@<>",;:\\()[\]]+@[^\s@<>",;:\\()[\]]+\.[^\s@<>",;:\\()[\].]+$/u;

/** True for a mail address, as far as its form tells. */
export const isAddress = (text: string): boolean => EMAIL.test(text);

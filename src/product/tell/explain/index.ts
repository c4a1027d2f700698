// Explanations: one timeline of all that happened to a resource, from what other modules wrote. It
// owns only the notes of requests, and decides nothing.
export { operationsOf } from './api.ts';
export { namedId } from './named.ts';
export { forgetNotes, writeNotes } from './notes.ts';
export type { RequestNote } from './notes.ts';
export type { Explanation } from './schema.ts';
export { refusals } from './refusals.ts';

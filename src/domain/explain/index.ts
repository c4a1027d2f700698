// Explanations: one timeline of all that happened to a resource, out of what others have written.
// Answers for the notes of calls, its only rows; refuses to decide or change anything else.
export { operationsOf } from './api.ts';
export { namedId } from './named.ts';
export { forgetNotes, writeNotes } from './notes.ts';
export type { RequestNote } from './notes.ts';
export type { Explanation } from './schema.ts';
export { refusals } from './refusals.ts';

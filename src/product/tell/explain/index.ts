// Explanations: one timeline of all that happened to a resource, from what other modules wrote. It
// owns only the notes of requests, and decides nothing.
export { explain } from './timeline.ts';
export { namedId } from './named.ts';
export { writeNotes } from './notes.ts';
export type { RequestNote } from './notes.ts';
export { NOTES_SEEN, readRequests } from './request-log.ts';
export type { LoggedRequest, RequestFilter } from './request-log.ts';
export { subjectOf } from './resource.ts';
export { WorkspaceTime } from './workspace-time.ts';
export type { Explanation } from './schema.ts';

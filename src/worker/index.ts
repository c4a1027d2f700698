// The loops of a process. Answers for which exist and how often they run; refuses to know what the
// rows mean that they carry.
export { startLoops } from './loops.ts';
export type { LoopParts, Loops } from './loops.ts';

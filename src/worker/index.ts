// The background loops of a process: which exist and how often they run.
export { startLoops } from './loops.ts';

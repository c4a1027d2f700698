// Moves a tenant from one installation to another, and says who lives where.
export { directoryOf, thaw } from './store.ts';
export { moveTenant } from './move.ts';
export type { Moved } from './move.ts';
export type { Side } from './agree.ts';

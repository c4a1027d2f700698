// Tenants and their workspaces: creation, currencies, limits and clones. Direct SQL, outside of the
// engine: nothing here moves money.
export { createWorld, enableCurrency } from './workspace.ts';
export type { MadeWorld, NewWorld } from './workspace.ts';
export { addCopy, endWorld } from './clones.ts';
export type { MadeCopy, NewCopy } from './clones.ts';
export { findWorld } from './find.ts';
export { LIMIT_COLUMNS, limitsOf, setTenantLimits, tenantLimits } from './limits.ts';
export type { LimitsRow } from './limits.ts';
export { worldDirectory } from './directory.ts';
export {
  isAlone,
  NEWS_CHANNEL,
  openWorldNews,
  readLines,
  worldNews,
} from './cache-invalidation.ts';
export type { NewsParts, RunningNews } from './cache-invalidation.ts';
export type { DirectoryOptions } from './directory.ts';

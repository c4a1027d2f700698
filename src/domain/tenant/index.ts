// Tenants and their workspaces: creation, currencies, limits and clones. Direct SQL, outside of the
// engine: nothing here moves money.
export { createWorld, enableCurrency } from './world.ts';
export type { MadeWorld, NewWorld } from './world.ts';
export { addCopy, endWorld } from './copies.ts';
export type { MadeCopy, NewCopy } from './copies.ts';
export { findWorld } from './find.ts';
export { LIMIT_COLUMNS, limitsOf, setTenantLimits, tenantLimits } from './limits.ts';
export type { LimitsRow } from './limits.ts';
export { worldDirectory } from './directory.ts';
export { isAlone, NEWS_CHANNEL, openWorldNews, readLines, worldNews } from './news.ts';
export type { NewsParts, RunningNews } from './news.ts';
export type { DirectoryOptions } from './directory.ts';

// Tenants and their workspaces: creation, currencies, limits and clones. Direct SQL, outside of the
// engine: nothing here moves money.
export { createWorkspace, enableCurrency } from './workspace.ts';
export type { CreatedWorkspace } from './workspace.ts';
export { addClone, endWorkspace } from './clones.ts';
export type { CreatedClone } from './clones.ts';
export { findWorkspace } from './find.ts';
export { LIMIT_COLUMNS, limitsOf, setSecondFrom, setTenantLimits, tenantLimits } from './limits.ts';
export type { LimitsRow } from './limits.ts';
export { workspaceDirectory } from './directory.ts';
export {
  isAlone,
  NEWS_CHANNEL,
  openCacheInvalidation,
  readLineages,
  cacheInvalidation,
} from './cache-invalidation.ts';
export type { CacheInvalidation, RunningNews } from './cache-invalidation.ts';

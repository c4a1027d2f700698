// The export of a whole tenant's books and audit, and its proof on another machine.
export { checkExport } from './check.ts';
export type { Checked } from './check.ts';
export { exportTenant } from './write.ts';

// Reporting: views of one tenant's money for analysts, and the roles of the database that read
// them, each bound to a tenant. The views are made by the migrations.
export { REPORTING } from './columns.ts';
export { createReportingRole, removeReportingRole, reportingRoles } from './roles.ts';

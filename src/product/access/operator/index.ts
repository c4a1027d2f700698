// The people who run an installation: who they are, how they sign in to the console, and what their
// roles allow.
export { codeAt } from './code.ts';
export { SHORTEST } from './password.ts';
export type { MakingServices, OperatorServices, Workspaces } from './sealed.ts';
export { hasRole, isRole, RoleMissing, ROLES } from './roles.ts';
export type { Role } from './roles.ts';
export {
  checkCsrf,
  chooseWorkspace,
  csrfTokenOf,
  endSession,
  endSessionsOf,
  operatorActor,
  sessionOf,
  sessionsOf,
  setFlash,
} from './sessions.ts';
export type { Flash, OperatorSession } from './sessions.ts';
export { changePassword, proveCode, signIn } from './sign-in.ts';
export {
  covers,
  createOperator,
  dependentOn,
  findOperator,
  followWorkspace,
  listOperators,
  operatorNamed,
  OperatorRefused,
  resetOperator,
  setOperatorDisabled,
  workspacesSeen,
} from './store.ts';
export type { Credentials, Operator } from './store.ts';

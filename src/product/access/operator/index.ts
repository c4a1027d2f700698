// The people who run an installation: who they are, how they sign in to the console, and what their
// roles allow.
export { codeAt } from './code.ts';
export { SHORTEST } from './password.ts';
export type { MakingServices, OperatorServices, Workspaces } from './sealed.ts';
export { changeOperator, decideProposal, proposalFor } from './changes.ts';
export type { Proposal } from './changes.ts';
export { invitationOf, invite, inviteAgain, join } from './invitation.ts';
export { covers, dependentOn, followWorkspace, workspacesSeen } from './reach.ts';
export {
  hasRight,
  RIGHTS,
  RightMissing,
  roleNamed,
  roleNames,
  ROLES,
  rolesThat,
} from './roles.ts';
export type { Right, Role } from './roles.ts';
export {
  checkCsrf,
  chooseWorkspace,
  csrfTokenOf,
  endSession,
  endSessionBy,
  endSessionsOf,
  operatorActor,
  sessionOf,
  sessionsOf,
  setFlash,
} from './sessions.ts';
export type { Flash, OperatorSession } from './sessions.ts';
export { changePassword, proveCode, signIn } from './sign-in.ts';
export { signInAs } from './sign-on.ts';
export {
  createOperator,
  INVITATION_DAYS,
  OperatorRefused,
  resetOperator,
  setOperatorDisabled,
} from './store.ts';
export type { Credentials, NewOperator } from './store.ts';
export { findOperator, listOperators, operatorNamed } from './read.ts';
export type { Operator } from './read.ts';
export type { Came } from './devices.ts';
export { setEmail } from './email.ts';
export {
  claimOperatorMails,
  forgetOperatorMails,
  keepOperatorMail,
  mailsTo,
  sendOperatorMail,
} from './mails.ts';

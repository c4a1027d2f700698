// Proves who acts at the command line: the username, password and code that open the console, for
// what one operator must not do alone.
import {
  endSession,
  hasRole,
  sessionOf,
  signIn,
  type OperatorSession,
  type Role,
} from '../product/access/operator/index.ts';
import type { CommandContext, Installation } from './context.ts';

/** Options of a command that asks who acts. */
export interface OperatorArguments {
  readonly operator: string;
  readonly code: string;
}

/** The environment variable with the operator's password. */
export const PASSWORD_VARIABLE = 'HOLDFAST_OPERATOR_PASSWORD';

/** The operator who acts; fails with one sentence. No session is left behind. */
export async function provenOperator(
  installation: Installation,
  context: CommandContext,
  given: OperatorArguments,
  { role, workspace }: { readonly role: Role; readonly workspace: number },
): Promise<OperatorSession> {
  const password = context.environment[PASSWORD_VARIABLE] ?? '';
  const { operator: username, code } = given;
  const entered = { username, password, code, address: 'command line', before: null };
  const answer = await signIn(installation, entered);
  const session = answer.ok ? await sessionOf(installation, answer.token) : null;
  if (session === null) {
    const wait = !answer.ok && answer.why === 'wait' ? ` Wait ${answer.wait} seconds.` : '';
    throw new Error(`--operator, ${PASSWORD_VARIABLE} or --code is wrong.${wait}`);
  }
  await endSession(installation.db, session);
  if (session.passwordInitial) throw new Error('Choose a password in the console first.');
  const seen = session.workspaces === 'all' || session.workspaces.includes(workspace);
  if (!seen || !hasRole(session, role)) {
    throw new Error(`This operator needs the role ${role} for this tenant.`);
  }
  return session;
}

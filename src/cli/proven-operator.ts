// Proves who acts at the command line: the username, password and code that open the console, for
// what one operator must not do alone.
import {
  dependentOn,
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

/** Options of a command that takes two operators at once. */
export interface PairArguments extends Partial<OperatorArguments> {
  readonly second?: string;
  readonly secondCode?: string;
}

/** The environment variable with the second operator's password. */
export const SECOND_PASSWORD_VARIABLE = 'HOLDFAST_SECOND_PASSWORD';

/**
 * Two operators who prove who they are, the second a supervisor who did not make or reset the first
 * one, nor was made or reset by them; gives the first. Fails with one sentence.
 */
export async function provenPair(
  installation: Installation,
  context: CommandContext,
  given: PairArguments,
  workspace: number,
): Promise<OperatorSession> {
  const { operator, code, second, secondCode } = given;
  if (!operator || !code || !second || !secondCode) {
    throw new Error(
      'This takes two operators: --operator and --code with the password in ' +
        `${PASSWORD_VARIABLE}, --second and --second-code with ${SECOND_PASSWORD_VARIABLE}.`,
    );
  }
  const needed = { role: 'reviewer', workspace } as const;
  const first = await provenOperator(installation, context, { operator, code }, needed);
  const { environment } = context;
  const password = environment[SECOND_PASSWORD_VARIABLE] ?? '';
  const theirs = { ...context, environment: { ...environment, [PASSWORD_VARIABLE]: password } };
  const proof = { operator: second, code: secondCode };
  const other = await provenOperator(installation, theirs, proof, {
    role: 'supervisor',
    workspace,
  });
  if (other.operatorId === first.operatorId) throw new Error('The second must be another person.');
  if ((await dependentOn(installation.db, other.operatorId)).includes(first.operatorId)) {
    throw new Error('One of the two made or reset the other: another person must be the second.');
  }
  return first;
}

// Proves who acts at the command line: the username, password and code that open the console, for
// what one operator must not do alone.
import {
  covers,
  dependentOn,
  endSession,
  hasRight,
  sessionOf,
  signIn,
  RightMissing,
  type Right,
} from '../product/access/operator/index.ts';
import type { CommandContext, Installation } from './context.ts';

/** Options of a command that asks who acts. */
export interface OperatorArguments {
  readonly operator?: string;
  readonly code?: string;
}

/** Who must act: the right, and the workspace that they may see. */
interface Needed {
  readonly right: Right;
  readonly workspace: number;
}

/** The environment variable with the operator's password. */
export const PASSWORD_VARIABLE = 'HOLDFAST_OPERATOR_PASSWORD';

/** The UUID of the operator who acts; fails with one sentence. No session is left behind. */
export async function provenOperator(
  installation: Installation,
  { environment }: CommandContext,
  { operator: username, code }: OperatorArguments,
  { right, workspace }: Needed,
): Promise<string> {
  const password = environment[PASSWORD_VARIABLE];
  if (username === undefined || code === undefined || !password) {
    throw new Error(`Give --operator and --code, and your password in ${PASSWORD_VARIABLE}.`);
  }
  const tried = { username, password, code, address: 'command line', before: null };
  const signed = await signIn(installation, tried);
  if (!signed.ok) {
    throw new Error(
      signed.why === 'wait'
        ? `Too many attempts: wait ${signed.wait} seconds.`
        : 'The username, password or code is wrong, or the code was used before.',
    );
  }
  const session = await sessionOf(installation, signed.token);
  if (session === null) throw new Error('The operator was disabled just now.');
  await endSession(installation.db, session);
  if (session.passwordInitial) throw new Error('Choose a password of your own at the console.');
  if (!hasRight(session, right)) throw new RightMissing(right);
  if (!covers(session.workspaces, [workspace])) {
    throw new Error('This operator may not see the tenant.');
  }
  return session.operatorId;
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
 * one, nor was made or reset by them; gives the UUID of the first. Fails with one sentence.
 */
export async function provenPair(
  installation: Installation,
  context: CommandContext,
  given: PairArguments,
  workspace: number,
): Promise<string> {
  const { operator, code, second, secondCode } = given;
  if (!operator || !code || !second || !secondCode) {
    throw new Error(
      'This takes two operators: --operator and --code with the password in ' +
        `${PASSWORD_VARIABLE}, --second and --second-code with ${SECOND_PASSWORD_VARIABLE}.`,
    );
  }
  const needed = { right: 'bank', workspace } as const;
  const first = await provenOperator(installation, context, { operator, code }, needed);
  const { environment } = context;
  const password = environment[SECOND_PASSWORD_VARIABLE] ?? '';
  const theirs = { ...context, environment: { ...environment, [PASSWORD_VARIABLE]: password } };
  const proof = { operator: second, code: secondCode };
  const other = await provenOperator(installation, theirs, proof, {
    right: 'confirm',
    workspace,
  });
  if (other === first) throw new Error('The second must be another person.');
  if ((await dependentOn(installation.db, other)).includes(first)) {
    throw new Error('One of the two made or reset the other: another person must be the second.');
  }
  return first;
}

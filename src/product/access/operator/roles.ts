// The roles of operators and what each may do in the console. Buttons, refusals and the tests of
// every address follow from this table.

/** What a page or form needs of whoever opens or sends it. */
export const RIGHTS = [
  ...(['read', 'stop', 'answer', 'review', 'bank', 'confirm', 'develop', 'administer'] as const),
] as const;
export type Right = (typeof RIGHTS)[number];

interface RoleRow {
  /** What people call it. */
  readonly name: string;
  readonly says: string;
  readonly may: readonly Right[];
}

/** By the name that is stored. The first that are no tasks are what the release 0.2.0 knows. */
export const ROLES = {
  viewer: {
    name: 'read',
    says: 'reads queues, money and history; personal data is masked',
    may: ['read'],
  },
  support: {
    name: 'support',
    says: 'also answers disputes, and stops payments in an emergency',
    may: ['read', 'stop', 'answer'],
  },
  reviewer: {
    name: 'reviewer',
    says: 'also decides on people, businesses, money and bank transfers, and views what that needs',
    may: ['read', 'stop', 'answer', 'review', 'bank'],
  },
  supervisor: {
    name: 'supervisor',
    says: 'also confirms decisions that need a second person, and reverses decisions',
    may: ['read', 'stop', 'answer', 'review', 'bank', 'confirm'],
  },
  accountant: {
    name: 'accountant',
    says: 'works on money, bank transfers, statements, payout files and opening balances',
    may: ['read', 'stop', 'bank'],
  },
  developer: {
    name: 'developer',
    says: 'reads, and works on what connects the servers of a tenant',
    may: ['read', 'develop'],
  },
  operator: {
    name: 'administrator',
    says: 'invites, changes, disables and resets operators',
    may: ['read', 'administer'],
  },
} as const satisfies Readonly<Record<string, RoleRow>>;

export type Role = keyof typeof ROLES;

const EVERY = Object.keys(ROLES) as Role[];
/** Roles that are stored apart, because the release 0.2.0 does not know them. */
const TASKS: readonly Role[] = ['support', 'accountant', 'developer'];
/** Rights with which somebody decides about people or money. */
const DECIDING: readonly Right[] = ['answer', 'review', 'bank', 'confirm'];

/** Thrown where a session lacks a right; the message is a sentence. */
export class RightMissing extends Error {
  constructor(right: Right) {
    super(`This needs an operator with the role ${rolesThat(right)}.`);
  }
}

/** The role of a name, as people or the database write it; null for none. */
export function roleNamed(text: string): Role | null {
  return EVERY.find((role) => role === text || ROLES[role].name === text) ?? null;
}

/** The names of the roles, for people. */
export function roleNames(roles: readonly Role[] = EVERY): string {
  return EVERY.filter((role) => roles.includes(role))
    .map((role) => ROLES[role].name)
    .join(', ');
}

/** True where one of the held roles has the right. */
export function hasRight(holder: { readonly roles: readonly Role[] }, right: Right): boolean {
  return holder.roles.some((role) => (ROLES[role].may as readonly Right[]).includes(right));
}

/** The names of the roles that have a right. */
export function rolesThat(right: Right): string {
  return roleNames(EVERY.filter((role) => hasRight({ roles: [role] }, right))).replace(
    /, (?=[^,]*$)/,
    ' or ',
  );
}

/**
 * True where the roles allow both deciding and making operators: their holder could make or reset
 * the second operator for a decision of their own.
 */
export function decidesAndAdministers(roles: readonly Role[]): boolean {
  return hasRight({ roles }, 'administer') && DECIDING.some((right) => hasRight({ roles }, right));
}

/** The roles of a row; one that another release stored counts for nothing. */
export function rolesOf(stored: readonly string[]): Role[] {
  const roles = EVERY.filter((role) => stored.includes(role));
  return roles.length > 1 ? roles.filter((role) => role !== 'viewer') : roles;
}

/** The roles as the two columns of the database hold them, `roles` and `tasks`. */
export function storedRoles(roles: readonly Role[]): [roles: Role[], tasks: Role[]] {
  const [known, tasks] = [false, true].map((isTask) =>
    EVERY.filter((role) => roles.includes(role) && TASKS.includes(role) === isTask),
  ) as [Role[], Role[]];
  return [known.length === 0 ? ['viewer'] : known, tasks];
}

// What an operator may do in the console, by role. Answers for which role includes which; refuses
// to know the pages.

/** Roles, least first, with what each is for. */
export const ROLES = {
  viewer: 'sees queues, money and history, masked',
  reviewer: 'decides about people and businesses, and opens what a decision needs',
  supervisor: 'also takes decisions that need a second person or undo one',
  operator: 'makes, disables and resets operators',
} as const;

/** Name of a role. */
export type Role = keyof typeof ROLES;

/** What somebody who holds the role may be asked for; everybody who is signed in is a viewer. */
const INCLUDES: Readonly<Record<Role, readonly Role[]>> = {
  viewer: ['viewer'],
  reviewer: ['viewer', 'reviewer'],
  supervisor: ['viewer', 'reviewer', 'supervisor'],
  operator: ['viewer', 'operator'],
};

/** Thrown where a session lacks a role. */
export class RoleMissing extends Error {}

/** True for the name of a role. */
export function isRole(text: string): text is Role {
  return Object.hasOwn(ROLES, text);
}

/** True when the roles held include the one that is asked for. */
export function hasRole(holder: { readonly roles: readonly Role[] }, role: Role): boolean {
  return holder.roles.some((held) => INCLUDES[held].includes(role));
}

/**
 * True when whoever holds the roles decides and also makes operators: they could make, or reset,
 * the second pair of eyes for a decision of their own.
 */
export function decidesAndAdministers(roles: readonly Role[]): boolean {
  return hasRole({ roles }, 'reviewer') && hasRole({ roles }, 'operator');
}

/** Throws `RoleMissing` unless the session has the role. */
export function requireRole(holder: { readonly roles: readonly Role[] }, role: Role): void {
  if (!hasRole(holder, role)) throw new RoleMissing(role);
}

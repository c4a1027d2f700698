// The roles of operators in the console, and which role includes which.

/** Roles, least first, each with its purpose. */
export const ROLES = {
  viewer: 'reads queues, money and history; personal data is masked',
  reviewer: 'also decides on people, businesses and bank transfers, and views what that needs',
  supervisor: 'also confirms decisions that need a second person, and reverses decisions',
  operator: 'creates, disables and resets operators',
} as const;

export type Role = keyof typeof ROLES;

/** The roles that each role includes; everybody who is signed in is a viewer. */
const INCLUDES: Readonly<Record<Role, readonly Role[]>> = {
  viewer: ['viewer'],
  reviewer: ['viewer', 'reviewer'],
  supervisor: ['viewer', 'reviewer', 'supervisor'],
  operator: ['viewer', 'operator'],
};

/** Thrown where a session lacks a role. */
export class RoleMissing extends Error {}

export function isRole(text: string): text is Role {
  return Object.hasOwn(ROLES, text);
}

/** True where one of the held roles includes `role`. */
export function hasRole(holder: { readonly roles: readonly Role[] }, role: Role): boolean {
  return holder.roles.some((held) => INCLUDES[held].includes(role));
}

/**
 * True where the roles allow both deciding and making operators: their holder could make or reset
 * the second operator for a decision of their own.
 */
export function decidesAndAdministers(roles: readonly Role[]): boolean {
  return hasRole({ roles }, 'reviewer') && hasRole({ roles }, 'operator');
}

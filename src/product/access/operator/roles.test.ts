// The table of roles: whole, named once, stored so that the release 0.2.0 can read it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTogether } from './store.ts';
import { hasRight, RIGHTS, roleNamed, ROLES, rolesOf, rolesThat, storedRoles } from './roles.ts';
import type { Role } from './roles.ts';

const EVERY = Object.keys(ROLES) as Role[];

test('each right belongs to a role, and each role reads', () => {
  for (const right of RIGHTS) assert.notEqual(rolesThat(right), '', right);
  for (const role of EVERY) assert.ok(hasRight({ roles: [role] }, 'read'), role);
  assert.equal(rolesThat('confirm'), 'supervisor');
  assert.equal(rolesThat('bank'), 'reviewer, supervisor or accountant');
});

test('a role is known by its name and by what is stored, and 0.2.0 knows the first column', () => {
  for (const role of EVERY) {
    assert.deepEqual([roleNamed(role), roleNamed(ROLES[role].name)], [role, role]);
    const [roles, tasks] = storedRoles([role]);
    const known = ['viewer', 'reviewer', 'supervisor', 'operator'];
    assert.ok(roles.length > 0 && roles.every((one) => known.includes(one)), role);
    assert.deepEqual(rolesOf([...roles, ...tasks]), [role]);
  }
  assert.deepEqual(roleNamed('nobody'), null);
  assert.deepEqual(rolesOf(['reviewer', 'of another release']), ['reviewer']);
});

test('in production nobody both decides and administers', () => {
  for (const role of EVERY) {
    const decides = !['viewer', 'developer', 'operator'].includes(role);
    const both = (env: 'staging' | 'production') => () =>
      checkTogether({ env }, [role, 'operator']);
    assert.doesNotThrow(both('staging'));
    if (decides) assert.throws(both('production'), /cannot also be an administrator/, role);
    else assert.doesNotThrow(both('production'), role);
  }
});

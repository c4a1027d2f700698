// The hosts by name: their order is that of the ready line and of the default ports. [G-02, G-03]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOST_NAMES } from './operation.ts';

test('each host keeps its place among the ports', () => {
  const ports = 'pii invoicing payments auth widget hosted console accounts wallets shop processor';
  assert.equal(HOST_NAMES.join(' '), `${ports} internal`);
});

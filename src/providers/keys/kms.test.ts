// A key service is never asked over http on another machine, whose network could read the keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kmsWrap } from './kms.ts';

const ARN = 'arn:aws:kms:eu-west-1:111122223333:key/0';
const SETTINGS = { AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' };

async function asked(address: string): Promise<string> {
  const before = { ...process.env };
  Object.assign(process.env, SETTINGS, { AWS_ENDPOINT_URL_KMS: address });
  try {
    await kmsWrap(ARN, Buffer.alloc(32), { installation: 'i', key: 'v1' });
    return 'answered';
  } catch (error) {
    return (error as Error).message;
  } finally {
    process.env = before;
  }
}

test('http to another machine is refused in a sentence; to this one it is tried', async () => {
  const others = ['http://198.51.100.7:4566', 'http://127.0.0.1.example', 'http://kms.internal'];
  for (const address of others) {
    const says = /cannot be used for \S+: its address is http on another machine, .+ use https\.$/;
    assert.match(await asked(address), says, address);
  }
  // Nobody listens at port 1.
  assert.match(await asked('http://127.0.0.1:1'), /ECONNREFUSED/);
});

// Signatures, secrets and outcomes without database or socket.
import assert from 'node:assert/strict';
import { createHmac, createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { Webhook } from 'standardwebhooks';
import { seededRandom } from '../../../../test/kit/seeded-random.ts';
import type { OutboundResult } from '../../../providers/outbound/port.ts';
import { excerptOf, judge, retryAfterSeconds, SCHEDULE_SECONDS } from './outcome.ts';
import { isSymmetricSecret, newSecret, publicKeyOf } from './secret.ts';
import { headersOf, signatureOf, TokenCache } from './sign.ts';

const random = seededRandom('webhook');
const seconds = Math.floor(Date.now() / 1000);

test('every signature is verified by the reference library and by an independent HMAC', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.uuid(), (text, id) => {
      const secrets = [newSecret(random, 'v1'), newSecret(random, 'v1')];
      const body = JSON.stringify({ text });
      const headers = headersOf({ event_id: id, body, seconds, secrets }, 't');
      const signatures = (headers['webhook-signature'] as string).split(' ');
      assert.equal(signatures.length, 2);
      secrets.forEach((secret, at) => {
        // A receiver with either secret accepts.
        new Webhook(secret).verify(body, headers);
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        const own = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
        assert.equal(signatures[at], `v1,${own}`);
      });
    }),
    { numRuns: 300 },
  );
});

test('a change of one character of id, timestamp, body or signature is refused', () => {
  const secret = newSecret(random, 'v1');
  const attempt = { event_id: 'e-1', body: '{"a":1}', seconds, secrets: [secret] };
  const headers = headersOf(attempt, 't');
  const other = new Webhook(newSecret(random, 'v1'));
  const webhook = new Webhook(secret);
  webhook.verify(attempt.body, headers);
  assert.throws(() => other.verify(attempt.body, headers));
  assert.throws(() => webhook.verify('{"a":2}', headers));
  assert.throws(() => webhook.verify(attempt.body, { ...headers, 'webhook-id': 'e-2' }));
  const late = { ...headers, 'webhook-timestamp': String(seconds - 1) };
  assert.throws(() => webhook.verify(attempt.body, late));
});

test('v1a is verified with the public key that the receiver was given', () => {
  const secret = newSecret(random, 'v1a');
  const attempt = { event_id: 'e-1', body: '{"ä":1}', seconds, secrets: [secret] };
  const [version, signature] = signatureOf(attempt).split(',') as [string, string];
  assert.equal(version, 'v1a');
  const raw = Buffer.from(publicKeyOf(secret).slice('whpk_'.length), 'base64');
  assert.equal(raw.length, 32);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const content = Buffer.from(`e-1.${seconds}.{"ä":1}`);
  assert.ok(verify(null, content, key, Buffer.from(signature, 'base64')));
  assert.ok(!verify(null, Buffer.from('x'), key, Buffer.from(signature, 'base64')));
});

test('a secret is whsec_ and 24 to 64 bytes in base64', () => {
  assert.ok(isSymmetricSecret(newSecret(random, 'v1')));
  for (const bad of ['', 'whsec_', 'whsec_YQ==', newSecret(random, 'v1a'), 'whsec_%%%%',
    `whsec_${'A'.repeat(120)}`, `x${newSecret(random, 'v1')}`]) {
    assert.ok(!isSymmetricSecret(bad), bad);
  }
});

test('a bearer token is used again until a minute before its end', async () => {
  let made = 0;
  const tokens = new TokenCache(async () => {
    made += 1;
    return new SignJWT({ n: made })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(seconds + 600)
      .sign(new Uint8Array(32));
  });
  const first = await tokens.tokenOf('a', seconds);
  assert.equal(await tokens.tokenOf('a', seconds + 539), first);
  assert.notEqual(await tokens.tokenOf('a', seconds + 540), first);
  await tokens.tokenOf('b', seconds);
  assert.equal(made, 3);
});

function answered(status: number, retryAfter: string | null = null): OutboundResult {
  return { kind: 'answered', status, retryAfter, contentType: null, bytes: Buffer.alloc(0), ms: 1 };
}

test('the schedule is walked with jitter and ends in a dead letter', () => {
  assert.deepEqual(SCHEDULE_SECONDS, [5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
  SCHEDULE_SECONDS.forEach((wait, at) => {
    for (const random of [0, 0.999]) {
      const outcome = judge(answered(500), at + 1, SCHEDULE_SECONDS, random, 0);
      assert.equal(outcome.verdict, 'again');
      assert.ok(outcome.waitMs >= wait * 1000 && outcome.waitMs <= wait * 1200);
    }
  });
  assert.equal(judge(answered(500), 8, SCHEDULE_SECONDS, 0, 0).verdict, 'dead');
});

test('statuses: 2XX confirms, 410 ends the endpoint, everything else is tried again', () => {
  for (const status of [200, 201, 202, 204, 299]) {
    assert.equal(judge(answered(status), 1, SCHEDULE_SECONDS, 0, 0).verdict, 'delivered');
  }
  assert.equal(judge(answered(410), 1, SCHEDULE_SECONDS, 0, 0).verdict, 'gone');
  for (const status of [101, 199, 300, 301, 302, 304, 307, 308, 400, 404, 429, 500, 503, 599]) {
    assert.equal(judge(answered(status), 1, SCHEDULE_SECONDS, 0, 0).verdict, 'again', `${status}`);
  }
});

test('Retry-After lengthens a wait, never shortens it, and at most to an hour', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const asked = (status: number, text: string | null): number =>
    retryAfterSeconds({ status, retryAfter: text }, now);
  assert.equal(asked(429, '120'), 120);
  assert.equal(asked(503, 'Thu, 01 Jan 2026 00:02:00 GMT'), 120);
  assert.equal(asked(429, '999999'), 3600);
  for (const text of ['-5', '1e9', 'soon', '', null, 'Wed, 31 Dec 2025 00:00:00 GMT']) {
    assert.equal(asked(429, text), 0, `${text}`);
  }
  assert.equal(asked(500, '120'), 0);
  assert.equal(judge(answered(429, '1'), 1, SCHEDULE_SECONDS, 0, now).waitMs, 5000);
});

test('of an answer only masked plain text is kept', () => {
  const kept = (text: string, type = 'text/plain'): string | null =>
    excerptOf(Buffer.from(text), type);
  assert.equal(kept('signature mismatch'), 'signature mismatch');
  assert.equal(kept('{"error":"bad"}', 'application/json; charset=utf-8'), '{"error":"bad"}');
  assert.equal(kept('Bearer eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2ln'), 'Bearer [...]');
  assert.equal(kept('card 4111 1111 1111 1111 of ada@example.com'), 'card [...] of [...]');
  assert.equal(kept('a\u0000\u001b[31m\nb'), 'a [31m b');
  assert.equal(kept('{"event_id":"x"}', 'application/json'), null);
  assert.equal(kept('<html>', 'text/html'), null);
  assert.equal(excerptOf(Buffer.from([0xff, 0xfe]), 'text/plain'), null);
  assert.equal(kept('ab '.repeat(100))?.length, 200);
  // A character that the 4 kB cut in two does not spoil the rest.
  assert.equal(excerptOf(Buffer.from('né').subarray(0, 2), 'text/plain'), 'n');
});

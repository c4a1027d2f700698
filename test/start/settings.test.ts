// Settings of limits, addresses and reviews: production's defaults, the sandbox's freedom, and one
// sentence for an unusable value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../src/config.ts';

const PRODUCTION = { HOLDFAST_KEY_FILE: '/keys.json', DATABASE_URL: 'postgres://db.example' };

test("production's tenant limits exceed the promised load; the sandbox has none", () => {
  const { process, tenant, address } = readConfig('production', PRODUCTION).callLimits;
  assert.ok(tenant.writes > 1_000 && tenant.reads > 500 && tenant.inFlight > 100);
  assert.ok(tenant.inFlight < process, 'one tenant does not fill a process');
  assert.ok(Object.values(address).every((rate) => rate > 0));
  const open = readConfig('staging', {}).callLimits;
  const all = [open.process, ...Object.values(open.tenant), ...Object.values(open.address)];
  assert.deepEqual(new Set(all), new Set([0]));
});

test('by default only this machine is listened on and trusted, more if configured', () => {
  const plain = readConfig('staging', {});
  assert.deepEqual(plain.listen, { hosts: '127.0.0.1', internal: '127.0.0.1' });
  assert.deepEqual(
    ['127.0.0.1', '127.9.9.9', '10.0.0.1'].map((one) => plain.trustedProxies.check(one)),
    [true, true, false],
  );
  const named = { HOLDFAST_LISTEN: '::', HOLDFAST_TRUSTED_PROXIES: '10.0.0.0/8,fd00::1' };
  const { listen, trustedProxies } = readConfig('staging', named);
  assert.equal(listen.hosts, '::');
  assert.ok(trustedProxies.check('10.0.0.1') && trustedProxies.check('fd00::1', 'ipv6'));
  assert.ok(!trustedProxies.check('127.0.0.1') && !trustedProxies.check('fd00::2', 'ipv6'));
});

test('each database has its own anchor file, whatever user signs in', () => {
  const name = (url: string): string => readConfig('staging', { DATABASE_URL: url }).anchorName;
  assert.equal(readConfig('staging', {}).anchorName, 'audit-anchors');
  const one = name('postgres://ada:secret@db.example:5432/one');
  assert.match(one, /^audit-anchors-[0-9a-f]{12}$/);
  assert.equal(name('postgres://rob:other@db.example:5432/one?sslmode=require'), one);
  assert.notEqual(name('postgres://ada:secret@db.example:5432/two'), one);
  assert.notEqual(name('postgres://ada:secret@db2.example:5432/one'), one);
});

test('a match alone causes no manual review unless configured', () => {
  const of = (settings: object): boolean =>
    readConfig('production', { ...PRODUCTION, ...settings }).reviewMatches;
  assert.deepEqual([of({}), of({ HOLDFAST_REVIEW_MATCHES: 'off' })], [false, false]);
  assert.equal(of({ HOLDFAST_REVIEW_MATCHES: 'on' }), true);
});

test('a stopping process serves on if a load balancer may stand in front', () => {
  const { DATABASE_URL } = PRODUCTION;
  const drains = [{}, { DATABASE_URL }, { DATABASE_URL, HOLDFAST_DRAIN_MS: '200' }].map(
    (environment) => readConfig('staging', environment).drainMs,
  );
  assert.deepEqual(drains, [0, 5_000, 200]);
  const kept = { HOLDFAST_KEEP_ALIVE_MS: '620000' };
  assert.equal(readConfig('staging', kept).keepAliveMs, 620_000);
});

const WRONG: readonly (readonly [string, string])[] = [
  ['HOLDFAST_LISTEN', 'localhost'],
  ['HOLDFAST_LISTEN_INTERNAL', '127.1'],
  ['HOLDFAST_TRUSTED_PROXIES', '10.0.0.0/33'],
  ['HOLDFAST_TRUSTED_PROXIES', '10.0.0.0/'],
  ['HOLDFAST_TRUSTED_PROXIES', '10.0.0.1/8/8'],
  ['HOLDFAST_TRUSTED_PROXIES', 'proxy.example'],
  ['HOLDFAST_TENANT_WRITES', '-1'],
  ['HOLDFAST_REVIEW_MATCHES', 'yes'],
];

test('single sign-on is set whole or not at all, and makes no administrator', () => {
  const whole = {
    HOLDFAST_SSO_ISSUER: 'https://login.example/realm',
    HOLDFAST_SSO_CLIENT_ID: 'console',
    HOLDFAST_SSO_SECRET_FILE: '/run/secret',
    HOLDFAST_SSO_GROUPS: 'Finance = accountant;cn=Trust & safety=reviewer, support;',
  };
  assert.equal(readConfig('staging', {}).signOn, null);
  const { groups, claim } = readConfig('staging', whole).signOn ?? {};
  assert.equal(claim, 'groups');
  assert.deepEqual([...(groups ?? [])], [
    ['Finance', ['accountant']],
    ['cn=Trust & safety', ['reviewer', 'support']],
  ]);
  for (const name of Object.keys(whole)) {
    const read = (): unknown => readConfig('staging', { ...whole, [name]: '' });
    assert.throws(read, /Single sign-on needs/, name);
  }
  const wrong = [
    ['HOLDFAST_SSO_ISSUER', 'http://login.example', 'not-an-address', 'ftp://127.0.0.1'],
    ['HOLDFAST_SSO_GROUPS', 'Ops=administrator', 'Ops=operator', 'Ops=boss', 'Ops', '=read'],
  ];
  for (const [name = '', ...values] of wrong) {
    for (const value of values) {
      assert.throws(() => readConfig('staging', { ...whole, [name]: value }), ConfigError, value);
    }
  }
});

for (const [name, value] of WRONG) {
  test(`${name}=${value} is refused in one sentence`, () => {
    const sentence = new RegExp(`^${name} must be [^\\n]+\\.$`);
    const read = (): unknown => readConfig('staging', { [name]: value });
    assert.throws(read, ConfigError);
    assert.throws(read, { message: sentence });
  });
}

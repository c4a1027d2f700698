// TLS to PostgreSQL in the modes of libpq: a real server with a certificate made here, under the
// right and a wrong authority, by the right and a wrong name.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { asLibpq, verifiesServer } from '../../src/db/client-config.ts';
import { oldestBinaries, startTestServer } from '../../src/db/embedded/test-server.ts';
import type { TestServer } from '../../src/db/embedded/test-server.ts';
import { Database } from '../../src/db/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-tls-'));
let server: TestServer;
before(async () => {
  authority('right');
  authority('wrong');
  server = await startTestServer(oldestBinaries());
  const db = new Database({ url: server.url, max: 1 });
  try {
    // The server's own account must own its key.
    for (const name of ['server.key', 'server.crt']) {
      const text = readFileSync(join(folder, name), 'utf8').trim();
      await db.execute(`copy (select unnest(string_to_array('${text}', e'\\n')))
        to program 'umask 077; cat > ${name}'`);
    }
    await db.execute('alter system set ssl = on');
    await db.execute('select pg_reload_conf()');
  } finally {
    await db.close();
  }
  while ((await outcome('localhost', 'require')) === 'plain') await pause(50);
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** An authority; the right one signs a certificate for `localhost`. */
function authority(name: string): void {
  const run = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  };
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const own = ['-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name}`];
  run('req', '-x509', ...fresh, ...own, '-days', '2');
  if (name !== 'right') return;
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost\n');
  run('req', ...fresh, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
  const signs = ['-CA', 'right.crt', '-CAkey', 'right.key', '-CAcreateserial', '-days', '2'];
  run('x509', '-req', '-in', 'server.csr', ...signs, '-extfile', 'names', '-out', 'server.crt');
}

/** `tls`, `plain`, or why there is no connection. */
async function outcome(host: string, mode: string | null, root?: string): Promise<string> {
  const url = new URL(server.url);
  url.hostname = host;
  if (mode !== null) url.searchParams.set('sslmode', mode);
  if (root !== undefined) url.searchParams.set('sslrootcert', join(folder, `${root}.crt`));
  const db = new Database({ url: url.href, max: 1 });
  try {
    const [row] = await db.query<{ ssl: boolean }>(
      'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
    );
    return row?.ssl === true ? 'tls' : 'plain';
  } catch (error) {
    assert.ok(error instanceof Error);
    if (/does not support SSL/.test(error.message)) return 'plain';
    return 'code' in error ? String(error.code) : error.message;
  } finally {
    await db.close();
  }
}

const SELF = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
const NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';
const ROWS: readonly (readonly [host: string, mode: string | null, root: string, is: RegExp])[] = [
  ['localhost', 'verify-full', 'right', /^tls$/],
  ['localhost', 'verify-full', 'wrong', /^(UNABLE_TO|CERT_|SELF_)/],
  ['127.0.0.1', 'verify-full', 'right', new RegExp(`^${NAME}$`)],
  ['127.0.0.1', 'verify-ca', 'right', /^tls$/],
  ['127.0.0.1', 'verify-ca', 'wrong', /^(UNABLE_TO|CERT_|SELF_)/],
  ['localhost', 'require', '', /^tls$/],
  ['localhost', 'verify-full', '', new RegExp(`^(${SELF}|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$`)],
  ['localhost', 'disable', '', /^plain$/],
  ['localhost', null, '', /^plain$/],
];

for (const [host, mode, root, is] of ROWS) {
  test(`${host} with ${mode ?? 'no mode'} and the ${root || 'default'} authority`, async () => {
    assert.match(await outcome(host, mode, root === '' ? undefined : root), is);
  });
}

test('a mode that could fall back to plain text is refused with the ones there are', () => {
  const url = 'postgres://holdfast@db.example/holdfast?sslmode=prefer';
  assert.throws(() => asLibpq(url), /must be one of disable, require, verify-ca, verify-full/);
});

test('only a checked name counts as verified', () => {
  const of = (mode: string): boolean => verifiesServer(`postgres://db.example/x?sslmode=${mode}`);
  assert.deepEqual(['verify-full', 'verify-ca', 'require'].map(of), [true, false, false]);
});

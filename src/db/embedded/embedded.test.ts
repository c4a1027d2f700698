// The embedded server: what a client sees, what survives a crash, and what is refused.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Database } from '../index.ts';
import type { EmbeddedServer } from './index.ts';
import { joinEmbedded, startEmbedded } from './index.ts';
import { residents } from './orphan-processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-embedded-'));
spawnSync('chmod', ['755', folder]);
const programsDir = join(import.meta.dirname, '../../../.holdfast/programs');
const dataDir = join(folder, 'staging');

after(() => rmSync(folder, { recursive: true, force: true }));

function start(directory: string): Promise<EmbeddedServer> {
  return startEmbedded({ dataDir: directory, programsDir, ephemeral: false, log: () => {} });
}

async function ask<R>(url: string, text: string): Promise<R[]> {
  const database = new Database({ url, max: 1 });
  try {
    return await database.query<R>(text);
  } finally {
    await database.close();
  }
}

test('the server is durable, checked, private, and sorts by bytes', async () => {
  const server = await start(dataDir);
  try {
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'jit'];
    const list = names.map((name) => `current_setting('${name}') as ${name}`).join(', ');
    assert.deepEqual(await ask(server.ownerUrl, `select ${list}`), [
      {
        fsync: 'on',
        synchronous_commit: 'on',
        full_page_writes: 'on',
        data_checksums: 'on',
        jit: 'off',
      },
    ]);
    const [row] = await ask<Record<string, string>>(
      server.ownerUrl,
      `select datcollate, pg_encoding_to_char(encoding) as encoding,
         current_setting('listen_addresses') as heard
         from pg_database where datname = current_database()`,
    );
    assert.deepEqual(row, { datcollate: 'C', encoding: 'UTF8', heard: '127.0.0.1' });
    assert.equal(server.major, 18);
    assert.equal(statSync(join(dataDir, 'postgres-18')).mode & 0o777, 0o700);
    assert.equal(statSync(join(dataDir, 'postgres-18/holdfast.password')).mode & 0o777, 0o600);
    const wrong = server.ownerUrl.replace(/:[^:@]+@/, ':guess@');
    await assert.rejects(ask(wrong, 'select 1'), /password authentication failed/);
  } finally {
    await server.stop();
  }
});

test('acknowledged rows survive kill -9', async () => {
  // The process writes one row after another and prints each number once its commit is answered.
  const program = `
    import { startEmbedded } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
    import { Database } from ${JSON.stringify(join(import.meta.dirname, '../index.ts'))};
    const server = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)},
      programsDir: ${JSON.stringify(programsDir)}, ephemeral: false, log: () => {} });
    const database = new Database({ url: server.ownerUrl, max: 1 });
    await database.query('create table if not exists heard (n bigint)');
    const [last] = await database.query('select coalesce(max(n), 0) as n from heard');
    for (let n = last.n + 1n; ; n += 1n) {
      await database.query({ text: 'insert into heard values ($1)', values: [n] });
      process.stdout.write(n + '\\n');
    }`;
  let heard = '';
  for (let round = 0; round < 2; round += 1) {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program]);
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const enough = heard.length + 600;
    await new Promise<void>((done, fail) => {
      child.stdout.on('data', (chunk: Buffer) => {
        heard += chunk.toString();
        if (heard.length > enough) child.kill('SIGKILL');
      });
      child.once('close', (_code, signal) =>
        signal === 'SIGKILL' ? done() : fail(new Error(said)),
      );
    });
  }
  const last = BigInt(
    heard
      .trim()
      .split('\n')
      .findLast((line) => /^\d+$/.test(line)) ?? '0',
  );
  const server = await start(dataDir);
  try {
    const [row] = await ask<{ rows: bigint; most: bigint }>(
      server.ownerUrl,
      'select count(*) as rows, max(n) as most from heard',
    );
    assert.ok(last > 100n, `only ${last} rows were acknowledged`);
    // One more may be committed whose answer was not read.
    assert.ok(
      row !== undefined && row.most >= last && row.rows === row.most,
      `${row?.rows} of ${last}`,
    );
  } finally {
    await server.stop();
  }
});

test('a server that is killed comes back on the same URL with what was committed', async () => {
  const server = await start(dataDir);
  try {
    const pidFile = join(dataDir, 'postgres-18/postmaster.pid');
    const most = 'select max(n) as most from heard';
    const [before] = await ask<{ most: bigint }>(server.ownerUrl, most);
    process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGKILL');
    const deadline = Date.now() + 20_000;
    let answer: unknown = null;
    while (answer === null && Date.now() < deadline) {
      answer = await ask(server.ownerUrl, most).then(
        (rows) => rows[0],
        () => null,
      );
    }
    assert.deepEqual(answer, before);
  } finally {
    await server.stop();
  }
  assert.deepEqual(residents(join(dataDir, 'postgres-18')), []);
});

test('a second server on one data directory is refused with a sentence', async () => {
  const server = await start(dataDir);
  try {
    await assert.rejects(
      start(dataDir),
      /is in use by another Holdfast \(process \d+\): stop that one/,
    );
  } finally {
    await server.stop();
  }
});

test('a short command joins the running server, or starts one of its own', async () => {
  const options = { dataDir, programsDir, ephemeral: false, log: () => {} };
  const server = await start(dataDir);
  const joined = await joinEmbedded(options);
  assert.deepEqual([joined.url, joined.ownerUrl], [server.url, server.ownerUrl]);
  await joined.stop();
  assert.deepEqual(await ask(server.ownerUrl, 'select 1 as one'), [{ one: 1 }]);
  await server.stop();
  const own = await joinEmbedded(options);
  assert.deepEqual(await ask(own.url, 'select 1 as one'), [{ one: 1 }]);
  await own.stop();
  assert.deepEqual(residents(join(dataDir, 'postgres-18')), []);
});

test('a cluster of another major version is refused with a sentence and left alone', async () => {
  const other = join(folder, 'other');
  mkdirSync(join(other, 'postgres-17'), { recursive: true });
  await assert.rejects(
    start(other),
    /holds a PostgreSQL 17 cluster and this Holdfast brings PostgreSQL 18/,
  );
  assert.ok(statSync(join(other, 'postgres-17')).isDirectory());
});

test('a cluster moves with its directory', async () => {
  const moved = join(folder, 'moved');
  renameSync(dataDir, moved);
  const server = await start(moved);
  try {
    const [row] = await ask<{ most: bigint }>(server.ownerUrl, 'select max(n) as most from heard');
    assert.ok(row !== undefined && row.most > 100n);
  } finally {
    await server.stop();
  }
});

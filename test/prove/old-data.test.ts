// Data of release 0.1: every command refuses it in one sentence that says what to do, whether it
// lies in a data folder or in a named database, and changes nothing.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runProgram } from '../../src/cli/program.ts';
import { startEmbedded } from '../../src/db/embedded/index.ts';
import { Database } from '../../src/db/index.ts';
import { openInstallation, startSystem } from '../../src/system.ts';
import { CHECKOUT } from '../start/launch.ts';

const SENTENCE =
  'This database was made by Holdfast 0.1, which this release does not read. Nothing was ' +
  'changed. Start with an empty database: name it in DATABASE_URL, or a new data folder in ' +
  'HOLDFAST_DATA_DIR.';
const folder = mkdtempSync(join(tmpdir(), 'holdfast-old-data-'));
const dataDir = join(folder, 'staging');
const programsDir = join(CHECKOUT, '.holdfast/programs');

/** Runs something on the server of the old data folder. */
async function withServer<R>(work: (url: string) => Promise<R>): Promise<R> {
  const server = await startEmbedded({
    dataDir,
    programsDir,
    ephemeral: false,
    durable: false,
    log: () => {},
  });
  try {
    return await work(server.ownerUrl);
  } finally {
    await server.stop();
  }
}

async function withDatabase<R>(url: string, work: (db: Database) => Promise<R>): Promise<R> {
  const db = new Database({ url, max: 1 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

function contents(db: Database): Promise<object[]> {
  return db.query(`select relname, (select count(*) from migration) as applied from pg_class
    where relnamespace = 'public'::regnamespace order by relname`);
}

/** Runs a command to its end; it must be refused with the sentence. */
async function refused(environment: Record<string, string>, ...args: string[]): Promise<void> {
  const said: string[] = [];
  const code = await runProgram(args, {
    environment,
    home: folder,
    print: (text) => void said.push(text),
    say: (line) => void said.push(line),
    colours: false,
    startSystem,
    openInstallation,
    asked: new Promise(() => {}),
  });
  assert.deepEqual([code, said.at(-1)], [1, SENTENCE], args.join(' '));
}

let made: object[];
before(async () => {
  mkdirSync(dataDir);
  // What the commands would copy there.
  mkdirSync(programsDir, { recursive: true });
  symlinkSync(programsDir, join(folder, 'programs'));
  made = await withServer((url) =>
    withDatabase(url, async (db) => {
      await db.execute(`create table migration (name text collate "C" primary key,
          digest text not null, applied timestamptz not null default clock_timestamp());
        insert into migration (name, digest) values ('0001_core.sql', 'a'), ('0002_oauth.sql', 'b');
        create table installation (name text primary key, value text not null);
        insert into installation values ('keys', 'sealed long ago')`);
      return contents(db);
    }),
  );
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('a start on an old data folder is refused', () =>
  refused({ HOLDFAST_DATA_DIR: folder }, 'start', '--port-base', '0'));

test('so is every command on a database that is named, and nothing has changed', async () => {
  await withServer(async (url) => {
    const env = { DATABASE_URL: url, HOLDFAST_DATA_DIR: join(folder, 'other') };
    await refused(env, 'start', '--port-base', '0');
    await refused(env, 'start', '--no-outbound', '--port-base', '0');
    await refused(env, 'migrate');
    await refused(env, 'verify');
    assert.ok(!existsSync(join(folder, 'other/staging/keys.json')), 'no key file was made');
    assert.deepEqual(await withDatabase(url, contents), made);
  });
});

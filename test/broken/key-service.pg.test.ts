// A key service that fails once a new master key is in the file: no rotation takes the old key for
// the new one, and whoever missed it follows soon after the service is back.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { secretPlace } from '../../src/core/labels.ts';
import { rotate, wrapVersions } from '../../src/product/people/retention/index.ts';
import { fileKeys, fileKeyVersions } from '../../src/providers/keys/file.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { dataFolder } from '../kit/platform.ts';
import { until } from '../kit/until.ts';
import { Draws, type Fault } from './draws.ts';
import { openKeyService, type KeyService } from './key-service.ts';

const [PLACE, KEY] = [secretPlace('signingKey', 'here'), Buffer.alloc(32, 7)];
/** Half of the time after which a file that could not be used is tried again anyhow. */
const SOON_MS = 5_000;

/** Every try of a call is cut off, or none. */
class Away extends Draws {
  override on = true;
  isAway = false;

  override at(): Fault | null {
    return this.isAway ? 'lost before' : null;
  }

  override detail(): number {
    return 3;
  }
}

const draws = new Away(0, 0, new Map());
const folder = dataFolder();
const path = join(folder, 'keys.json');
const outside = { ...process.env };
let service: KeyService;
let database: TestDatabase;
before(async () => {
  service = await openKeyService(draws);
  Object.assign(process.env, service.settings);
  database = await testDatabase();
});
after(async () => {
  process.env = outside;
  await Promise.all([service.close(), database.drop()]);
  rmSync(folder, { recursive: true });
});

test('a rotation that cannot read its new key says so, and who missed it follows', async () => {
  const [versions, { db }] = [fileKeyVersions(path), database];
  const parts = { db, keys: await fileKeys(path), versions, columns: [] };
  await wrapVersions(parts, service.arn);
  const behind = await fileKeys(path);
  const promote = async (version: string): Promise<void> => {
    await versions.promote(version);
    draws.isAway = true;
  };
  const failing = rotate({ ...parts, versions: { ...versions, promote } });
  await assert.rejects(failing, /The key file has v2, which could not be read from it: run this/);
  draws.isAway = false;
  const keys = await fileKeys(path);
  assert.equal((await rotate({ ...parts, keys })).current, 'v2');
  const wrapped = await keys.wrap(KEY, PLACE);
  assert.match(wrapped, /^v2\./);
  draws.isAway = true;
  await assert.rejects(behind.unwrap(wrapped, PLACE), /a version that the key file does not have/);
  draws.isAway = false;
  const began = performance.now();
  await until('it follows', () => behind.unwrap(wrapped, PLACE).then(() => true, () => false));
  assert.ok(performance.now() - began < SOON_MS);
});

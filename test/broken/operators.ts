// What operators do in a history: they rotate the master key by a key service that breaks, and
// invite somebody by a mail server that does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemRandom as random } from '../../src/core/random.ts';
import { isTrouble } from '../../src/db/index.ts';
import { createOperator } from '../../src/product/access/operator/index.ts';
import { accountUuid } from '../../src/product/people/account/index.ts';
import {
  countByVersion,
  prepareVersion,
  rotate,
  type RotationParts,
} from '../../src/product/people/retention/index.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { openInstallation } from '../../src/system.ts';
import { signedIn, type Page } from '../console/kit.ts';
import type { Step } from './acts.ts';
import type { BrokenPlatform } from './platform.ts';
import type { World } from './world.ts';

const MOST_TRIES = 60;
const PAUSE_MS = 50;
const REST_MS = 30_000;
const AWAY = /^The key service cannot be used for /;
const UNREAD = /^The key file has v\d+, which could not be read from it: run this again\.$/;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/**
 * Types a command until it is done. What the key service interrupts leaves the file as it was. The
 * command's own database is well, though a busy machine may keep it waiting.
 */
export async function typed<R>(
  { platform, url }: Pick<BrokenPlatform, 'platform' | 'url'>,
  command: (parts: RotationParts) => Promise<R>,
): Promise<R> {
  const { keyFile } = platform;
  const environment = { HOLDFAST_KEY_FILE: keyFile };
  const at = { databaseUrl: url, dataDir: dirname(keyFile), migrated: false, environment } as const;
  for (let tries = 1; ; tries += 1) {
    const before = readFileSync(keyFile, 'utf8');
    try {
      const installation = await openInstallation({ env: 'staging', ...at });
      const { db, keys, versions, wrapped: columns } = installation;
      return await command({ db, keys, versions, columns }).finally(() => installation.close());
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (AWAY.test(error.message)) assert.equal(readFileSync(keyFile, 'utf8'), before);
      else if (!UNREAD.test(error.message) && !isTrouble(error)) throw error;
      assert.ok(tries < MOST_TRIES, `${tries} tries: ${error.message}`);
    }
    await pause();
  }
}

/** The version that the key of an account is wrapped under. */
async function versionOf({ platform: { db } }: BrokenPlatform, account: string): Promise<string> {
  const [row] = await db.query<{ version: string }>({
    text: `select split_part(wrapped_key, '.', 1) as version from account_person where id = $1`,
    values: [accountUuid(account)],
  });
  return row?.version ?? assert.fail(`${account} has no key`);
}

/** A new master key is made, and then what somebody's data is sealed by is wrapped under it. */
export function rotating(broken: BrokenPlatform, account: string): readonly Step[] {
  return [
    async () => void (await typed(broken, prepareVersion)),
    async () => {
      const { current, unreadable } = await typed(broken, rotate);
      assert.deepEqual(unreadable, [], 'keys that did not open');
      assert.equal(await versionOf(broken, account), current, 'the rotation said that it was done');
    },
  ];
}

/**
 * The key service is well: each key that is stored opens, the system follows to the newest version,
 * and each call was tried again as often as it should, and never waited too long.
 */
export async function opened(broken: BrokenPlatform, world: World): Promise<void> {
  const { api } = broken.platform;
  await typed(broken, prepareVersion);
  const { current, unreadable } = await typed(broken, rotate);
  assert.deepEqual(unreadable, [], 'keys that do not open');
  const deadline = Date.now() + REST_MS;
  for (let n = 0; ; n += 1) {
    const { account_id } = await api.register(`${world.name}_sealed_${n}`);
    await world.read('accounts', `/v1/user-info/${account_id}`);
    if ((await versionOf(broken, account_id)) === current) break;
    assert.ok(Date.now() < deadline, `the system does not wrap under ${current}`);
    await pause();
  }
  for (const account of world.expected.keys()) {
    await world.read('accounts', `/v1/user-info/${account}`);
  }
  await typed(broken, rotate);
  const counts = await typed(broken, countByVersion);
  assert.deepEqual([...counts.keys()], [current], 'versions that still wrap');
  assert.deepEqual(broken.service.troubles(), [], 'calls of the key service');
}

/** Asks until a page comes. */
async function until(page: () => Promise<Page>): Promise<Page> {
  for (let tries = 1; ; tries += 1) {
    const answer = await page().catch(String);
    if (typeof answer !== 'string' && answer.status < 400) return answer;
    const said = typeof answer === 'string' ? answer : `${answer.status} ${answer.text}`;
    assert.ok(tries < MOST_TRIES, `${tries} tries: ${said.slice(0, 500)}`);
    await pause();
  }
}

/** An administrator of the history, who has invited somebody. */
async function administrator({ platform }: BrokenPlatform, { name }: World, to: string) {
  const { db, keyFile, ready: { urls: { console: base } } } = platform;
  const roles = ['operator'] as const;
  const wish = { name, username: `${name}_admin`, roles, workspaces: 'all' } as const;
  const services = { db, keys: await fileKeys(keyFile), random };
  const made = await createOperator(services, { ...wish, mustChange: false }, 'operator');
  await db.execute('update operator set password_initial = false');
  const browser = await signedIn(base, made);
  const invited = { name: 'Ina', username: `${name}_ina`, email: to, role_viewer: 'on' };
  const { text } = await browser.post('/operators', { ...invited, workspace_all: 'on' });
  const path = /\/operators\/[0-9a-f-]{36}/.exec(text)?.[0] ?? assert.fail(text);
  return { browser, path };
}

/** Somebody is invited once more; in the end a link that they were mailed lets them join. */
export async function inviting(broken: BrokenPlatform, world: World): Promise<readonly Step[]> {
  const to = `${world.name}_ina@staff.example`;
  const { browser, path } = await administrator(broken, world, to);
  world.checks.push(async () => {
    const sources = broken.mail.accepted.filter((one) => one.to === to).map(({ source }) => source);
    const text = sources.join('\n').replaceAll('=\r\n', '');
    const links = new Set(text.match(/\/invitation\/[\w-]{43}/g));
    const pages = await Promise.all([...links].map((link) => browser.get(link)));
    assert.ok(pages.some(({ status }) => status === 200), `none of ${links.size} links opens`);
  });
  return [async () => void (await until(() => browser.post(`${path}/invitation`)))];
}

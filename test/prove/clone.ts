// A clone of the last commit in which only `npm start` ran, and clean copies of it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT, freeBlock, launch, linkTree, npmStart, terminate } from '../start/launch.ts';
import type { Launch, Launched } from '../start/launch.ts';

/** Folders of a newcomer: a home of their own, and the clone beside their projects. */
export interface Newcomer {
  readonly clone: string;
  readonly home: string;
  /** A clone with the packages that `npm start` installed and nothing else, at the same place. */
  renew(): void;
  /** Runs a line in a shell. */
  run(line: string, more?: Partial<Launch>): Launched;
}

/** Clones into `folder`, starts once and stops: that installs. */
export async function newcomer(folder: string): Promise<Newcomer> {
  const clone = join(folder, 'holdfast');
  const home = join(folder, 'home');
  const kept = join(folder, 'installed');
  mkdirSync(home);
  const env = {
    HOME: home,
    // What was fetched once is not fetched again.
    npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  const checkOut = (): void => {
    const done = spawnSync('git', ['clone', '-q', CHECKOUT, clone], { encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
  };
  checkOut();
  const options = ['--ephemeral', '--port-base', String(await freeBlock())];
  const first = npmStart(null, options, { cwd: clone, env });
  await first.ready();
  assert.equal(await terminate(first), 0);
  linkTree(join(clone, 'node_modules'), kept);
  return {
    clone,
    home,
    renew() {
      rmSync(clone, { recursive: true });
      checkOut();
      linkTree(kept, join(clone, 'node_modules'));
    },
    run(line, more = {}) {
      // A group of its own, as a terminal makes one: so Ctrl-C reaches all of it.
      const order = { command: 'setsid', args: ['sh', '-c', line], cwd: clone, ...more };
      return launch({ ...order, env: { ...env, ...more.env } });
    },
  };
}

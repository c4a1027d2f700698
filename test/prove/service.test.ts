// The unit of systemd on a machine of its own, its database on three hosts: installed, migrated and
// started by the commands of docs/operations.md, checked, killed, and there again after a boot.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Cluster } from '../kit/cluster.ts';
import type { Machine } from '../kit/machine.ts';
import { CHECKOUT, remove, temporaryFolder } from '../start/launch.ts';
import { installPackage } from '../start/package.ts';

const SERVES_MS = 60_000;

const folder = temporaryFolder();
const installed = join(folder, 'installed');
const page = readFileSync(join(CHECKOUT, 'docs/operations.md'), 'utf8');
let cluster: Cluster;
let machine: Machine;

before(async () => {
  installPackage(folder, installed);
  mkdirSync(join(installed, 'node_modules/.bin'));
  symlinkSync('../holdfast/scripts/holdfast.mjs', join(installed, 'node_modules/.bin/holdfast'));
  cluster = await Cluster.start();
  const node = realpathSync(spawnSync('which', ['node'], { encoding: 'utf8' }).stdout.trim());
  machine = cluster.machine([`${installed}:/opt/holdfast-0.3.0`, `${node}:/usr/bin/node`]);
  await machine.boot();
});
after(() => {
  cluster?.stop();
  remove(folder);
});

/** Types the lines of the page that begin so. */
async function typed(...beginnings: string[]): Promise<string> {
  const lines = page.split('\n').filter((line) => beginnings.some((one) => line.startsWith(one)));
  assert.ok(lines.length >= beginnings.length, `the page lacks one of ${beginnings.join()}`);
  return machine.type(lines.join('\n'));
}

/** Writes a file of the page's settings, with what differs here. */
async function settings(path: string, text: string): Promise<void> {
  const file = join(folder, 'settings');
  writeFileSync(file, text.replaceAll('10.0.0.11', machine.address));
  await machine.give(file, path);
}

/** Waits until the node serves. */
async function serves(): Promise<void> {
  const url = `http://${machine.address}:7411/readyz`;
  const isReady = (): Promise<boolean> => {
    return fetch(url, { signal: AbortSignal.timeout(1_000) }).then(({ ok }) => ok, () => false);
  };
  for (const end = Date.now() + SERVES_MS; !(await isReady()); await pause(250)) {
    if (Date.now() < end) continue;
    assert.fail(await machine.type('journalctl -qu holdfast -n 40 --no-pager -o cat'));
  }
}

test('installed and migrated as the page says, it starts within its limits', async () => {
  await typed('sudo ln -s', 'sudo useradd ', 'sudo install -d ');
  const ini = (name: string): string =>
    new RegExp(`^\`${name}\`:\\n\\n\`\`\`ini\\n([^]*?)^\`\`\``, 'm').exec(page)?.[1] ?? '';
  const [env, owner] = [ini('/etc/holdfast/holdfast.env'), ini('/mnt/safe/owner.env')];
  const line = (name: string): string => `${name}="${cluster.setting(name)}"`;
  await settings('/mnt/safe/owner.env', owner.replace(/.+/, line('HOLDFAST_OWNER_URL')));
  await settings('/etc/holdfast/holdfast.env',
    env.replace(/^DATABASE_URL=.*/m, line('DATABASE_URL')));
  await machine.give(join(cluster.folder, 'safe/owner-password'), '/mnt/safe/owner-password');
  for (const name of ['server-password', 'database.crt']) {
    await machine.give(join(cluster.folder, 'etc', name), `/etc/holdfast/${name}`);
    await machine.type(`chgrp holdfast /etc/holdfast/${name}; chmod 640 /etc/holdfast/${name}`);
  }
  const migrate = /^```sh\nsudo -s\n(chgrp[^]*?)^```/m.exec(page)?.[1] ?? '';
  assert.match(await machine.type(migrate), /rights of holdfast are set/);
  await machine.give(join(CHECKOUT, 'deploy/holdfast.service'), '/root/holdfast.service');
  await machine.type('mkdir deploy; cp /root/holdfast.service deploy');
  await typed('sudo cp deploy/holdfast.service', 'sudo systemctl enable --now holdfast');
  await serves();
  const shown = await machine.type('systemctl show holdfast -p MainPID -p User -p ActiveState');
  assert.match(shown, /User=holdfast/);
  const pid = /MainPID=(\d+)/.exec(shown)?.[1] ?? '';
  const status = await machine.type(`cat /proc/${pid}/status`);
  assert.match(status, /^CapEff:\s0{16}$/m);
  assert.match(status, /^NoNewPrivs:\s1$/m);
  assert.match(status, /^Seccomp:\s2$/m);
});

test('`holdfast check` by its account finds the standby, the archive and the schema', async () => {
  const block = /^```sh\nsudo -u holdfast -s\n(set[^`]*?holdfast check\n)/m.exec(page)?.[1] ?? '';
  const lines = block.trimEnd().replace(/holdfast check$/, 'holdfast check || true');
  const told = await machine.type(lines, 'holdfast');
  for (const what of ['schema', 'standby', 'archive', 'clock']) {
    assert.match(told, new RegExp(`^ok +.*${what}`, 'm'), told);
  }
});

test('killed, it is there again; after a boot it is there by itself', async () => {
  await machine.type('systemctl kill --signal=SIGKILL holdfast');
  await pause(2_000);
  await serves();
  assert.match(await machine.type('systemctl show holdfast -p NRestarts'), /NRestarts=1/);
  machine.powerOff();
  await machine.boot();
  await serves();
  await machine.type('systemctl stop holdfast');
  const ended = await machine.type('systemctl show holdfast -p Result -p ExecMainStatus');
  assert.match(ended, /Result=success/);
  assert.match(ended, /ExecMainStatus=0/);
});

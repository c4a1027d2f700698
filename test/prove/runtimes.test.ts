// The packed client in a project of others, on Deno, Bun and workerd: what the contract sees there
// is what it sees on Node.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { CONTRACT, outsideProject, packWorkspaces, placeContract } from '../kit/outside.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { installTools } from '../kit/tools.ts';
import { endAll, freeBlock, launch, remove, temporaryFolder } from '../start/launch.ts';
import { within } from '../client/kit.ts';

const RUNTIMES = ['deno@2.9.6', 'bun@1.4.5', 'workerd@1.20261117.1'];

const folder = temporaryFolder();
const project = join(folder, 'shop');
let tools: string;
let platform: Platform;

before(async () => {
  tools = installTools('runtimes', RUNTIMES);
  outsideProject(project, packWorkspaces(folder));
  // Only now: while npm packs, nobody in this process would answer its database.
  platform = await startPlatform();
  await placeContract(project, platform.ready);
});
after(async () => {
  endAll();
  await platform.stop();
  remove(folder);
});

/** The program of a package for this machine; npm ran no script that would put it elsewhere. */
function program(pattern: string): string {
  const [found] = globSync(join(tools, 'node_modules', pattern));
  assert.ok(found !== undefined, pattern);
  return found;
}

/** Runs the contract by a command, while the platform of this process answers. */
async function seenBy(command: string, ...args: readonly string[]): Promise<unknown> {
  const started = launch({ command, args, cwd: project });
  assert.equal(await started.ended, 0, started.stderr());
  return JSON.parse(started.stdout());
}

test('Deno, allowed to reach this machine and nothing else', async () => {
  const rights = ['--allow-net=127.0.0.1,localhost', '--no-prompt', '--cached-only'];
  const deno = program('@deno/linux-*-glibc/deno');
  assert.deepEqual(await seenBy(deno, 'run', ...rights, 'main.mjs'), CONTRACT);
});

test('Deno accepts its types', () => {
  const use = join(project, 'use.ts');
  writeFileSync(
    use,
    `import { createClient } from '@holdfast/client';
const holdfast = createClient({ urls: {}, clientId: 'a', clientSecret: 'b', fetch });
export const state: Promise<{ state: 'open' | 'processing' | 'success' | 'failed' }> =
  holdfast.invoicing.getInvoice({ invoice_id: 'x' });\n`,
  );
  const checked = (): number | null => {
    const args = ['check', '--cached-only', use];
    return spawnSync(program('@deno/linux-*-glibc/deno'), args, { cwd: project }).status;
  };
  assert.equal(checked(), 0);
  writeFileSync(use, `import { noSuch } from '@holdfast/client';\nnoSuch();\n`);
  assert.equal(checked(), 1);
});

test('Bun', async () => {
  const bun = program('@oven/bun-linux-{x64,aarch64}/bin/bun');
  assert.deepEqual(await seenBy(bun, 'run', 'main.mjs'), CONTRACT);
});

test('a worker, bundled as tools for workers do', async () => {
  const port = await freeBlock();
  const outfile = join(project, 'worker.js');
  await build({
    ...{ entryPoints: [join(project, 'worker.mjs')], outfile, bundle: true },
    ...{ format: 'esm', platform: 'neutral', logLevel: 'silent' },
  });
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
);\n`;
  writeFileSync(join(project, 'config.capnp'), config);
  const workerd = program('@cloudflare/workerd-linux-*/bin/workerd');
  const started = launch({ command: workerd, args: ['serve', 'config.capnp'], cwd: project });
  const url = `http://127.0.0.1:${port}/`;
  let answer: Response | undefined;
  await within(20_000, async () => {
    answer = await fetch(url).catch(() => undefined);
    return answer !== undefined;
  });
  const said = (await answer?.text()) ?? '';
  assert.equal(answer?.status, 200, `${said} ${started.stderr()}`);
  assert.deepEqual(JSON.parse(said), CONTRACT);
});

// The packages of the workspaces in a project of others: packed and installed by npm, their types
// read by a strict compiler, the client run by two Nodes, the widget shown by React 18 and 19.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { arrive, newBuyer, order, payBy } from '../browser/buyer.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';
import { serveReactPage, writeReactPage } from '../browser/react-page.ts';
import { docPieces } from '../client/kit.ts';
import { CONTRACT, outsideProject, packWorkspaces, placeContract } from '../kit/outside.ts';
import { installTools } from '../kit/tools.ts';
import { CHECKOUT, endAll, launch, linkTree, remove, temporaryFolder } from '../start/launch.ts';

const COMPILER = join(CHECKOUT, 'node_modules/typescript/bin/tsc');
const TYPES_OF_REACT = ['@types/react', '@types/react-dom', '@types/prop-types', 'csstype'];
const REACT_18 = ['react', 'react-dom', 'scheduler', 'loose-envify', 'js-tokens'];
const REACT_19 = ['react@19.3.1', 'react-dom@19.3.1', '@types/react@19.3.0'];

const folder = temporaryFolder();
const plain = join(folder, 'plain');
const shops = { 18: join(folder, 'shop-18'), 19: join(folder, 'shop-19') } as const;
let bench: Bench;

before(async () => {
  const archives = packWorkspaces(folder);
  outsideProject(plain, archives);
  outsideProject(shops[18], archives, [...REACT_18, ...TYPES_OF_REACT]);
  const tools = installTools('react', [...REACT_19, '@types/react-dom@19.3.0']);
  outsideProject(shops[19], archives);
  for (const name of ['react', 'react-dom', 'scheduler', '@types', 'csstype']) {
    linkTree(join(tools, 'node_modules', name), join(shops[19], 'node_modules', name));
  }
  // Only now: while npm works, nobody in this process would answer the platform's database.
  bench = await openBench();
  await placeContract(plain, bench.platform.ready);
});
after(async () => {
  endAll();
  await bench.stop();
  remove(folder);
});

/** Compiles a file of a project as strictly as it can be asked; the types of packages are read. */
async function compiled(project: string, lib: string, file: string) {
  const place = ['--module', 'nodenext', '--target', 'es2022', '--noEmit', '--strict'];
  const more = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const known = ['--skipLibCheck', 'false', '--types', '', '--jsx', 'react-jsx', '--lib', lib];
  const args = [COMPILER, ...place, ...more, ...known, file];
  const { ended, stdout } = launch({ command: process.execPath, args, cwd: project });
  const status = await ended;
  const lines = [...stdout().matchAll(/^\w+\.tsx?\((\d+),/gm)].map((found) => Number(found[1]));
  return { status, said: stdout(), lines: [...new Set(lines)] };
}

const OF_CLIENT = ['', '/webhooks', '/driver', '/playwright'].map((at) => `@holdfast/client${at}`);
const ENTRIES = [...OF_CLIENT, '@holdfast/widget'];

test('exported types need no other package, and those of the client no surroundings', async () => {
  const use = (names: readonly string[]): string =>
    names.map((name, at) => `export * as use${at} from '${name}';`).join('\n');
  writeFileSync(join(plain, 'client.ts'), use(OF_CLIENT));
  const client = await compiled(plain, 'es2022', 'client.ts');
  assert.equal(client.status, 0, client.said);
  writeFileSync(join(plain, 'all.ts'), use(ENTRIES));
  const all = await compiled(plain, 'es2022,dom', 'all.ts');
  assert.equal(all.status, 0, all.said);
});

/** One mistake in each line; none of them may pass. */
const WRONG = [
  `widget.execute({ flow: 'checkout', redirect: '', onComplete, onError });`,
  `widget.execute({ ...whole, flow: 'chekout' });`,
  `widget.execute({ ...whole, flow: 'tos', onComplete: (r) => r.paymentMethods });`,
  `widget.execute({ ...whole, flow: 'tos', theme: { primary: '#0a7' } });`,
  `widget.execute({ ...whole, flow: 'tos', flowConfig: { hideSKUs: 'yes' } });`,
  `loadWidget({ integrity: 'sha384-x' });`,
];

test('the types of the widget accept what is right and refuse each mistake', async () => {
  const head =
    `import { loadWidget, type Widget, type ErrorResult } from '@holdfast/widget';` +
    `declare const widget: Widget; const onComplete = (): void => {};` +
    `const onError = ({ code }: ErrorResult): void => void code;` +
    `const whole = { rootId: 'pay', redirect: { url: 'x' }, onComplete, onError };\n`;
  const right =
    `widget.execute({ ...whole, flow: 'payment-selection', ` +
    `onComplete: ({ paymentMethods = [] }) => void paymentMethods[0]?.amount }).close();\n` +
    `void window.Holdfast?.execute({ ...whole, flow: 'kyc', dir: 'rtl' });\n`;
  const lib = 'es2022,dom';
  const page = `declare const linkFromYourServer: string;\n${docPieces('widget').join('')}`;
  for (const fine of [head + right, page]) {
    writeFileSync(join(plain, 'right.ts'), fine);
    const good = await compiled(plain, lib, 'right.ts');
    assert.equal(good.status, 0, good.said);
  }
  writeFileSync(join(plain, 'wrong.ts'), head + WRONG.join('\n'));
  const { lines, said } = await compiled(plain, lib, 'wrong.ts');
  assert.deepEqual(lines, WRONG.map((_, at) => at + 2), said);
});

test('each export is small, and bundles without anything of Node', async () => {
  for (const name of ENTRIES) {
    const { outputFiles, metafile } = await build({
      ...{ stdin: { contents: `export * from '${name}';`, resolveDir: plain }, bundle: true },
      ...{ minify: true, format: 'esm', platform: 'neutral', write: false, metafile: true },
      logLevel: 'silent',
    });
    const size = gzipSync(outputFiles[0]?.contents ?? '').length;
    assert.ok(size > 200 && size < 30_000, `${name}: ${size} bytes`);
    const outside = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external === true),
    );
    assert.deepEqual(outside, [], name);
  }
});

for (const node of ['node', process.execPath]) {
  const whose = node === 'node' ? "a newcomer's Node" : 'the pinned Node';
  test(`${whose} runs the contract`, async () => {
    const started = launch({ command: node, args: ['main.mjs'], cwd: plain });
    assert.equal(await started.ended, 0, started.stderr());
    assert.deepEqual(JSON.parse(started.stdout()), CONTRACT);
  });
}

test('errors of the client inside the server package are known to this one, and others not', () => {
  const script = `
    const { HoldfastError, isRefusal } = await import('@holdfast/client');
    const other = await import(${JSON.stringify(join(CHECKOUT, 'client/error.ts'))});
    const error = new other.HoldfastError({ status: 400, codes: ['X'], message: 'x',
      operation: 'payInvoice' });
    console.log(other.HoldfastError === HoldfastError, error instanceof HoldfastError,
      isRefusal(error, 'payInvoice'), new Error('x') instanceof HoldfastError);`;
  const args = ['--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: plain, encoding: 'utf8' });
  assert.equal(stdout, 'false true true false\n', stderr);
});

for (const version of [18, 19] as const) {
  test(`React ${version} shows a checkout once, keeps it, and removes it`, async () => {
    const { platform } = bench;
    const project = shops[version];
    writeReactPage(project, platform.ready.urls.widget);
    const { status, said } = await compiled(project, 'es2022,dom', 'main.tsx');
    assert.equal(status, 0, said);
    const site = await serveReactPage(project);
    const visitor = await bench.visitor();
    const { page } = visitor;
    const frames = () => page.locator('iframe').count();
    const show = (wish: unknown) => page.evaluate(`show(${JSON.stringify(wish)})`);
    try {
      await page.goto(site.origin);
      const buyer = await newBuyer(platform.api, 0, 'visa');
      const { redirect } = await order(platform.api, buyer, 1_900);
      await show({ redirect });
      const frame = page.frameLocator('iframe');
      await arrive(frame);
      assert.equal(await frames(), 1);
      await page.evaluate(`document.querySelector('iframe').mark = 'first'; again()`);
      await payBy(frame, buyer.cards[0] ?? '');
      await hook(frame, 'screen-success').waitFor();
      assert.equal(await page.evaluate(`document.querySelector('iframe').mark`), 'first');
      await hook(frame, 'done').click();
      // The callback of the last rendering is the one that is called.
      await visitor.until(`JSON.stringify(said) === '[["paid",1]]'`);
      assert.equal(await frames(), 0);
      await show(null);
      const script = { src: `${platform.ready.urls.widget}/ui/v1/widget` };
      await show({ redirect: await bench.link('tos'), script });
      await visitor.until(`said.some(([what]) => what === 'ready')`);
      await show(null);
      assert.equal(await frames(), 0);
      assert.deepEqual(await page.evaluate('said'), [['paid', 1], ['ready', 'service']]);
      await page.reload();
      visitor.expect(/Failed to find a valid digest in the 'integrity' attribute/);
      await show({ redirect, script: { ...script, integrity: `sha384-${'A'.repeat(64)}` } });
      await visitor.until(`JSON.stringify(said) === '[["error","SCRIPT_NOT_LOADED"]]'`);
      assert.equal(await frames(), 0);
    } finally {
      await site.stop();
    }
  });
}

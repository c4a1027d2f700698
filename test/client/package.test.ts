// The client as another project gets it: built, typed, by the package's exported names; strict
// compiler settings accept right code and refuse wrong code; a newcomer's `node` runs it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT } from '../tidy/tree.ts';
import { docPieces } from './kit.ts';

const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const project = mkdtempSync(join(tmpdir(), 'holdfast-client-'));
const installed = join(project, 'node_modules/holdfast');
after(() => rmSync(project, { recursive: true, force: true }));

/** What the compiler of a project knows of the place where it runs. */
const SURROUNDINGS = {
  browser: { lib: ['es2022', 'dom'], types: [] },
  node: { lib: ['es2022'], types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
  nothing: { lib: ['es2022'], types: [] },
} as const;

interface About {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

function compile(...args: string[]): { readonly status: number | null; readonly said: string } {
  const done = spawnSync(process.execPath, [COMPILER, ...args], { cwd: project, encoding: 'utf8' });
  return { status: done.status, said: done.stdout + done.stderr };
}

before(() => {
  mkdirSync(installed, { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
  const build = {
    extends: join(ROOT, 'tsconfig.build.json'),
    compilerOptions: {
      rootDir: ROOT,
      outDir: join(installed, 'dist'),
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: [join(ROOT, 'client'), join(ROOT, 'testing')],
  };
  writeFileSync(join(project, 'build.json'), JSON.stringify(build));
  const built = compile('-p', 'build.json');
  assert.equal(built.status, 0, built.said);
  writeFileSync(join(project, 'package.json'), '{"name":"shop","type":"module"}');
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const place = { module: 'nodenext', target: 'es2022', noEmit: true };
  for (const [name, known] of Object.entries(SURROUNDINGS)) {
    const own = { compilerOptions: { ...strict, ...place, ...known }, files: ['use.ts'] };
    writeFileSync(join(project, `${name}.json`), JSON.stringify(own));
  }
});

test('what the package exports exists, with types', () => {
  const about = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as About;
  const targets = Object.entries(about.exports).filter(([name]) => name !== './package.json');
  assert.deepEqual(
    targets.map(([name]) => name),
    ['.', './testing', './client', './client/driver', './client/playwright', './webhooks'],
  );
  for (const [, target] of targets) {
    assert.ok(typeof target === 'object');
    for (const file of Object.values(target)) assert.ok(existsSync(join(installed, file)), file);
  }
});

const RIGHT = `
import { createClient, createUserClient, isRefusal } from 'holdfast/client';
import { openFlow } from 'holdfast/client/driver';
import { payWithCard, widgetFrame, type Place } from 'holdfast/client/playwright';
import { verifyWebhook } from 'holdfast/webhooks';
const holdfast = createClient({ urls: { auth: 'x' }, clientId: 'a', clientSecret: 'b', fetch });
export async function use(page: Place): Promise<string> {
  const invoice = await holdfast.invoicing.getInvoice({ invoice_id: 'x' });
  const state: 'open' | 'processing' | 'success' | 'failed' = invoice.state;
  const event = await verifyWebhook({ secret: 'x', headers: new Headers(), body: 'x' });
  if (event.event_name === 'refund-completed') return event.message.invoice_id;
  const app = createUserClient({ urls: {} });
  app.getTosRequiredForUser((error, signed: boolean | null) => void [error, signed]);
  await (await openFlow({ redirect: 'x', fetch })).pay();
  await payWithCard(widgetFrame(page));
  try { return state; } catch (error) {
    return isRefusal(error, 'createPayout') && error.has('PAYOUT_KYC_REQUIRED') ? 'kyc' : 'other';
  }
}`;

/** One mistake in each line; none of them may pass. */
const WRONG = [
  `holdfast.invoicing.getInvoice({});`,
  `holdfast.invoicing.createInvoice({ account_id: 'x', line_items: [{ amount: '1' }] });`,
  `holdfast.invoicing.payEscrow({ invoice_id: 'x' });`,
  `holdfast.pii.submitKYC({ kyc_pii: { first: 1 } });`,
  `const n: number = (await holdfast.invoicing.getInvoice({ invoice_id: 'x' })).state;`,
  `createUserClient({ urls: {}, clientSecret: 'x' });`,
  `if (isRefusal(error, 'createPayout')) error.has('NO_SUCH_CODE');`,
];

for (const name of ['browser', 'node'] as const) {
  test(`strict settings accept what is right, with the types of: ${name}`, () => {
    writeFileSync(join(project, 'use.ts'), RIGHT);
    const { status, said } = compile('-p', `${name}.json`);
    assert.equal(status, 0, said);
  });
}

test('the types of the client need neither a browser nor Node', () => {
  const alone = RIGHT.replaceAll(', fetch }', ' }').replace('new Headers()', '{}');
  const stop = `const signal = { aborted: false, reason: null,
    addEventListener: () => {}, removeEventListener: () => {} };
  await holdfast.invoicing.getInvoice({ invoice_id: 'x' }, { signal });`;
  writeFileSync(join(project, 'use.ts'), `${alone}\n${stop}`);
  const { status, said } = compile('-p', 'nothing.json');
  assert.equal(status, 0, said);
});

/** The page names the package that has the client alone. */
function ofServer(piece: string): string {
  return piece
    .replaceAll('@holdfast/client/webhooks', 'holdfast/webhooks')
    .replaceAll('@holdfast/', 'holdfast/');
}

test('strict settings accept the code of the page about it', () => {
  const given = `import type { Urls } from 'holdfast/client';
import type { Place } from 'holdfast/client/playwright';
interface Person { account_id: string; wallet_id: string; wallet_payment_method_id: string }
declare const ready: {
  urls: Urls; client: { client_id: string; client_secret: string };
  webhook: { secret: string }; accounts: { buyer: Person; seller: Person };
};
declare const request: { headers: Headers; body: Uint8Array };
declare const page: Place;\n`;
  writeFileSync(join(project, 'use.ts'), given + docPieces().map(ofServer).join('\n'));
  const { status, said } = compile('-p', 'browser.json');
  assert.equal(status, 0, said);
});

test('the types of the test package need those of Node, as it says, and nothing else', () => {
  const { peerDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.deepEqual(Object.keys(peerDependencies), ['@types/node', 'playwright-core']);
  writeFileSync(join(project, 'use.ts'), `export * from 'holdfast/testing';`);
  const { status, said } = compile('-p', 'node.json', '--skipLibCheck', 'false');
  assert.equal(status, 0, said);
});

test('strict settings refuse each mistake', () => {
  const head =
    `import { createClient, createUserClient, isRefusal } from 'holdfast/client';` +
    `const error: unknown = 0;` +
    `const holdfast = createClient({ urls: {}, clientId: 'a', clientSecret: 'b' });\n`;
  writeFileSync(join(project, 'use.ts'), head + WRONG.join('\n'));
  const { said } = compile('-p', 'browser.json');
  const lines = new Set([...said.matchAll(/^use\.ts\((\d+),/gm)].map((found) => Number(found[1])));
  assert.deepEqual([...lines], WRONG.map((_, at) => at + 2), said);
});

test('the node of a newcomer runs it', () => {
  const script =
    `const { verifyWebhook } = await import('holdfast/webhooks');` +
    `await import('holdfast/client'); await import('holdfast/client/driver');` +
    `await verifyWebhook({ secret: 'x', headers: {}, body: '' }).catch((e) => console.log(e.code))`;
  const args = ['--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync('node', args, { cwd: project, encoding: 'utf8' });
  assert.equal(stdout, 'HEADERS_MISSING\n', stderr);
});

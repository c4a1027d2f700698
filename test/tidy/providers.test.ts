// A provider is one folder and one row: nobody else names it or loads it, and the first page says
// which ones there are.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROVIDER_KINDS, type ProviderKind } from '../../src/providers/port.ts';
import { PROVIDERS } from '../../src/providers/registry.ts';
import { importsOf, type Import } from './import-law.ts';
import { filesOf, ROOT, type SourceFile } from './tree.ts';

/** The folders of ports, and of what every installation has of them. */
const PORTS: ReadonlySet<string> = new Set([
  ...['anchors', 'files', 'identity', 'keys', 'mail', 'method-entry', 'outbound', 'payees'],
  ...['processor', 'sign-on', 'spans'],
]);
const REGISTRY = 'src/providers/registry.ts';
const folderOf = (name: string): string => `src/providers/${name}/`;

/** Files that name one of the providers and are neither of its folder nor the registry. */
function naming(files: readonly SourceFile[], names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const word = new RegExp(`(?<![a-z])${name}(?![a-z])`, 'i');
    return files
      .filter(({ path }) => !path.startsWith(folderOf(name)) && path !== REGISTRY)
      .filter(({ text }) => word.test(text))
      .map(({ path }) => `${path}: ${name}`);
  });
}

/** Imports that load a provider's folder before a tenant is connected to it. */
function loading(imports: readonly Import[], names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const into = imports.filter(({ from, to }) => {
      return to.startsWith(folderOf(name)) && !from.startsWith(folderOf(name));
    });
    const lawful = ({ from, to, isLazy }: Import): boolean =>
      from === REGISTRY && to === `${folderOf(name)}index.ts` && isLazy === true;
    return into.filter((one) => !lawful(one)).map(({ from, to }) => `${from} -> ${to}`);
  });
}

const names = [...new Set(PROVIDERS.map(({ name }) => name))];
const sources = filesOf(
  '{src,client,testing,shop}/**/*.{ts,js}', 'widget/**/*.{ts,tsx,css}', 'migrations/*.sql',
);

test('each folder has its row, and each row its folder', () => {
  const folders = readdirSync(join(ROOT, 'src/providers'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !PORTS.has(entry.name))
    .map(({ name }) => name);
  assert.deepEqual(folders.toSorted(), names.toSorted());
  const rows = PROVIDERS.map(({ kind, name }) => `${kind} ${name}`);
  assert.deepEqual(rows.filter((row, at) => rows.indexOf(row) !== at), [], 'a row twice');
});

test('no file outside of its folder names a provider or loads it', () => {
  assert.ok(sources.length > 600, String(sources.length));
  assert.deepEqual(naming(sources, names), []);
  assert.deepEqual(loading(importsOf(filesOf('src/**/*.ts')), names), []);
});

test('a planted name and a planted import would be caught', () => {
  const planted: SourceFile[] = [
    { path: 'src/providers/acme/index.ts', text: '// Acme.' },
    { path: REGISTRY, text: "load: () => import('./acme/index.ts')" },
    { path: 'src/system.ts', text: "import { acme } from './providers/acme/index.ts';" },
    { path: 'src/pages/index.ts', text: 'const frames = ["https://js.ACME.example"];' },
    { path: 'src/cli/check.ts', text: 'placmes' },
  ];
  const caught = ['src/system.ts: acme', 'src/pages/index.ts: acme'];
  assert.deepEqual(naming(planted, ['acme']), caught);
  const into = 'src/system.ts -> src/providers/acme/index.ts';
  assert.deepEqual(loading(importsOf(planted), ['acme']), [into]);
  const eager = [{ path: REGISTRY, text: "import { acme } from './acme/index.ts';" }];
  assert.equal(loading(importsOf(eager), ['acme']).length, 1);
});

/** What the first page says of a kind without a provider. */
const NOT_YET: Readonly<Record<ProviderKind, string>> = {
  processor: '**not yet**: there is no adapter for a real processor',
  identity: '**not yet**: there is no adapter for a real vendor',
};

test('the first page names each provider, or says that there is none', () => {
  const [readme] = filesOf('README.md');
  const said = readme?.text ?? '';
  for (const kind of PROVIDER_KINDS) {
    const there = PROVIDERS.filter((row) => row.kind === kind);
    assert.equal(said.includes(NOT_YET[kind]), there.length === 0, kind);
    for (const { name } of there) assert.match(said, new RegExp(name, 'i'));
  }
});

test('what OpenTelemetry needs is loaded only where traces are wanted', () => {
  const files = filesOf('src/**/*.ts');
  const users = files.filter(({ text }) => text.includes("'@opentelemetry/"));
  assert.deepEqual(users.map(({ path }) => path), ['src/providers/spans/otlp.ts']);
  const loads = importsOf(files).filter(({ to }) => to === 'src/providers/spans/otlp.ts');
  assert.deepEqual(loads.map(({ from, isLazy }) => [from, isLazy]), [['src/system.ts', true]]);
});

// The browser code and styles as bytes to serve: read from a built package or, in a checkout, built
// from widget/ at the first request, so that no start waits. File names carry a content hash.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** One file, ready to serve. */
export interface Asset {
  readonly type: string;
  readonly text: string;
}

/** Everything that browsers load. */
export interface Bundles {
  /** The script for an integrator's page; WORD_MARK stands for the service's name. */
  readonly loader: string;
  /** The release that the loader was built for. */
  readonly version: string;
  /** Loaders of releases, as they were, by version: pages may name one for good. */
  readonly released: Readonly<Record<string, string>>;
  /** Name of the page's module script. */
  readonly script: string;
  /** Name of the page's stylesheet. */
  readonly style: string;
  /** By name; names carry a hash of the content. */
  readonly assets: Readonly<Record<string, Asset>>;
}

/** Placeholder in the loader for the service's name. [G-80] */
const WORD_MARK = '__HOLDFAST_WORD__';

const WIDGET = join(import.meta.dirname, '../../widget');
const BUILT = 'bundles.json';
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

let loading: Promise<Bundles> | null = null;

/** The bundles of this process, made once; a failure is not cached. */
export function bundles(): Promise<Bundles> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<Bundles> {
  const built = join(WIDGET, BUILT);
  if (existsSync(built)) return JSON.parse(await readFile(built, 'utf8')) as Bundles;
  return buildBundles();
}

/** Writes the bundles into a package's folder, where `bundles` finds them. */
export async function writeBundles(folder: string, sources: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, BUILT), JSON.stringify(await buildBundles(sources)));
}

/** Bundles and minifies the sources. Stops esbuild's process, which would keep ours alive. */
export async function buildBundles(sources = WIDGET): Promise<Bundles> {
  const esbuild = await import('esbuild');
  const shared = {
    absWorkingDir: sources,
    bundle: true,
    minify: true,
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
  } as const;
  try {
    const [loader, pages] = await Promise.all([
      esbuild.build({
        ...shared,
        entryPoints: ['loader/main.ts'],
        format: 'iife',
        target: 'es2019',
        define: { WORD: JSON.stringify(WORD_MARK) },
      }),
      esbuild.build({
        ...shared,
        entryPoints: ['flows/main.tsx', 'flows/style.css'],
        outdir: 'out',
        entryNames: '[name]-[hash]',
        chunkNames: '[name]-[hash]',
        format: 'esm',
        splitting: true,
        target: 'es2020',
        jsx: 'automatic',
        jsxImportSource: 'preact',
      }),
    ]);
    const about = JSON.parse(await readFile(join(sources, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    return {
      loader: loader.outputFiles[0]?.text ?? '',
      version: about.version,
      released: await releasedIn(join(sources, 'released')),
      ...filesOf(pages.outputFiles),
    };
  } finally {
    await esbuild.stop();
  }
}

/** The loaders that `npm run release` has kept, by version. */
async function releasedIn(folder: string): Promise<Bundles['released']> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  const read = async (name: string): Promise<[string, string]> => [
    basename(name, '.js'),
    await readFile(join(folder, name), 'utf8'),
  ];
  return Object.fromEntries(await Promise.all(names.map(read)));
}

function filesOf(
  files: readonly { readonly path: string; readonly text: string }[],
): Pick<Bundles, 'assets' | 'script' | 'style'> {
  const assets: Record<string, Asset> = {};
  for (const { path, text } of files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type !== undefined) assets[name] = { type, text };
  }
  const named = (start: string): string =>
    Object.keys(assets).find((name) => name.startsWith(start)) ?? '';
  return { script: named('main-'), style: named('style-'), assets };
}

/** A loader as served, with the service's name. */
export function withWord(word: string, loader: string): string {
  return loader.replaceAll(WORD_MARK, word);
}

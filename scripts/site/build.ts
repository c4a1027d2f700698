// Builds the documentation: the pages by VitePress, the API reference by Scalar, llms.txt, and what
// the server needs to know of each file.
import { hash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vitepress';
import { FILES, SITE_PATH, type SiteFile } from '../../src/pages/site.ts';
import { configOf } from './config.ts';
import { landing } from './landing.ts';
import { listOf, llmsOf } from './list.ts';
import { referenceOf, type Described } from './reference.ts';
import { stage } from './stage.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
/** Whose programs the pages contain. */
const CONTAINED = [
  ...['vitepress', 'vue', '@vueuse/core', 'minisearch', 'mark.js', 'focus-trap', 'tabbable'],
  '@scalar/fastify-api-reference',
];
const NAMED = { name: 'Holdfast', base: SITE_PATH };
const TEXT = 'text/plain; charset=utf-8';

/** Builds the site of the checkout `root` into `folder`; others see it complete or not at all. */
export async function buildSite(root: string, folder: string): Promise<void> {
  const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly description: string;
  };
  const { description } = about;
  const work = `${folder}.${process.pid}`;
  const [pages, made] = [join(work, 'pages'), join(work, 'made')];
  rmSync(work, { recursive: true, force: true });
  const list = listOf(root);
  stage(root, pages, list, landing(description));
  const put = (place: string, text: string): void => {
    mkdirSync(dirname(join(pages, place)), { recursive: true });
    writeFileSync(join(pages, place), text);
  };
  put('public/llms.txt', llmsOf({ ...NAMED, about: description }, list));
  const reference = await referenceOf(documentsIn(join(root, 'docs/generated/openapi')));
  for (const [name, text] of Object.entries(reference)) put(`public/api/${name}`, text);
  put('public/LICENSES.txt', licences(root));
  configure(configOf(list, description), put);
  // Else it takes these files for pages of its own.
  process.env['VITE_EXTRA_EXTENSIONS'] = 'py,sh';
  await build(pages, { outDir: made });
  writeFileSync(join(made, FILES), JSON.stringify(describe(made)));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(made, folder);
  rmSync(work, { recursive: true, force: true });
}

/** What VitePress reads beside the pages. Anchors are made as code hosts make them. */
function configure(config: object, put: (place: string, text: string) => void): void {
  put(
    '.vitepress/config.mjs',
    `import { slug } from 'github-slugger';\nconst config = ${JSON.stringify(config)};\n` +
      'config.markdown.anchor = { slugify: slug };\nexport default config;\n',
  );
  put(
    '.vitepress/theme/index.js',
    "import theme from 'vitepress/theme-without-fonts';\nimport './look.css';\n" +
      'export default theme;\n',
  );
  put('.vitepress/theme/look.css', readFileSync(join(import.meta.dirname, 'look.css'), 'utf8'));
}

/** The licences of what the pages contain, which ask to be passed on. */
function licences(root: string): string {
  const each = CONTAINED.map((name) => {
    const folder = join(root, 'node_modules', name);
    const [file = 'LICENSE'] = globSync('LICENSE*', { cwd: folder });
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8')}`;
  });
  return each.join('\n\n');
}

/** The OpenAPI document of each host. */
function documentsIn(folder: string): Record<string, Described> {
  return Object.fromEntries(
    globSync('*.json', { cwd: folder }).map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return [basename(name, '.json'), JSON.parse(text) as Described];
    }),
  );
}

/** What the server needs to know of each file; writes the compressed ones. */
function describe(folder: string): Record<string, SiteFile> {
  const paths = globSync('**/*.*', { cwd: folder }).toSorted();
  return Object.fromEntries(
    paths.map((path) => {
      const bytes = readFileSync(join(folder, path));
      const small = gzipSync(bytes, { level: 9 });
      const packed = small.length < bytes.length * 0.9;
      if (packed) writeFileSync(join(folder, `${path}.gz`), small);
      // One is there to be read.
      const example = /^examples\/(?!index\.html)/.test(path);
      const page = path.endsWith('.html') && !example;
      const file: SiteFile = {
        type: example ? TEXT : (TYPES[extname(path)] ?? TEXT),
        tag: hash('sha256', bytes, 'base64url').slice(0, 22),
        immutable: /^assets\/|\.[0-9a-f]{8}\.js$/.test(path),
        packed,
        ...(page ? { scripts: scriptsIn(bytes.toString()) } : {}),
      };
      return [path, file];
    }),
  );
}

/** Hashes of the inline scripts. */
function scriptsIn(page: string): string[] {
  const scripts = page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g);
  return [...scripts].map(([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`);
}

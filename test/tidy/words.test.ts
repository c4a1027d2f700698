// Words and constructs forbidden in the sources. Each rule is a row: where it holds and what it
// finds, with a planted line that proves that it can fail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, filesOf, isTest, ROOT, writtenFiles, type SourceFile } from './tree.ts';

interface Rule {
  readonly name: string;
  /** Which files it holds in. */
  holds(path: string): boolean;
  readonly finds: RegExp;
  /** Looks at code only, without comments and the insides of literals. */
  readonly codeOnly?: true;
  /** A line that must be caught. */
  readonly planted: string;
}

const everywhere = (): boolean => true;
const inSources = (path: string): boolean => path.startsWith('src/') && !isTest(path);

// The environment is read in one file; the process hands it in at main.ts, and two files read
// one variable each: the start script's pipe, and the PATH that PostgreSQL's programs run with.
const READS_ENVIRONMENT = [
  'src/config.ts',
  'src/main.ts',
  'src/cli/shutdown.ts',
  'src/db/embedded/cluster.ts',
];

// Two hold what encrypts data and derives its keys, three sign messages that leave the process, one
// makes what PostgreSQL stores of a password.
const ENCRYPTS = [
  'src/core/sealing.ts',
  'src/db/reader.ts',
  'src/providers/keys/file.ts',
  'src/cli/forward.ts',
  'src/sandbox/simulators/receiver/checks.ts',
  'src/sandbox/simulators/store/signing.ts',
];

const DECIDES = new RegExp(
  '^src/(product|sandbox)/.*(decide|machine|postings|allocation|prepare|refusals|schema)\\.ts$',
);

/** What only computes: its inputs are its arguments. */
function isPure(path: string): boolean {
  if (!inSources(path)) return false;
  if (/^src\/(?:core|ledger)\//.test(path)) return path !== 'src/core/random.ts';
  if (path.startsWith('src/engine/')) return true;
  return DECIDES.test(path);
}

const OUTSIDE =
  /\b(?:Date\.now|new Date\(\)|Math\.random|performance\.|set(?:Timeout|Interval|Immediate))/;
const CHANCE = /\b(?:Date\.now|new Date\(\)|Math\.random|randomBytes|randomUUID|process\.)/;

const RULES: readonly Rule[] = [
  {
    name: 'no any',
    holds: everywhere,
    finds: /[:<|&(,]\s*any\b(?!\s*\()|\bas any\b|\bany\[\]/,
    codeOnly: true,
    planted: 'const x: any = 1;',
  },
  {
    name: 'no escape from types or linter',
    holds: everywhere,
    finds: /@ts-(?:ignore|expect-error|nocheck)|(?:eslint|oxlint)-disable/,
    planted: `// @ts-${'ignore'}`,
  },
  {
    name: 'nothing left to do',
    holds: everywhere,
    finds: /\b(?:TODO|FIXME|HACK)\b|\bXXX:/,
    planted: `// TO${'DO'}: later`,
  },
  {
    name: 'no default export',
    holds: everywhere,
    finds: /^\s*export default\b/m,
    codeOnly: true,
    planted: 'export default 1;',
  },
  {
    name: 'markup is made by the tag of src/markup/html.ts alone',
    holds: inSources,
    finds: /(?<!^\s*\/?\*.*)(?:^|return|=>|[=(,?:])\s*`<(?:!doctype|\/?[a-z])/,
    planted: 'return `<p>${text}</p>`;',
  },
  {
    name: 'no test is skipped or alone',
    holds: (path) => path.endsWith('.test.ts'),
    finds: /\b(?:test|it|describe)\.(?:skip|only|todo)\b|\b(?:skip|only|todo): true\b/,
    codeOnly: true,
    planted: 'test.only(1);',
  },
  {
    name: 'erasable TypeScript only',
    holds: (path) => path.endsWith('.ts'),
    finds: /^\s*(?:export )?(?:const )?enum \w|^\s*(?:export )?namespace \w/m,
    codeOnly: true,
    planted: 'enum Colour {',
  },
  {
    name: 'the environment is read in one place',
    holds: (path) => inSources(path) && !READS_ENVIRONMENT.includes(path),
    finds: /\bprocess\.env\b/,
    codeOnly: true,
    planted: 'const home = process.env;',
  },
  {
    name: 'core, engine, ledger and decisions see no clock, chance, timer or process',
    holds: isPure,
    finds: new RegExp(`${OUTSIDE.source}|${CHANCE.source}`),
    codeOnly: true,
    planted: 'const now = Date.now();',
  },
  {
    name: 'the domain takes ids, secrets and moments from its services',
    holds: (path) => inSources(path) && /^src\/(?:product|sandbox\/(?!simulators))/.test(path),
    finds: CHANCE,
    codeOnly: true,
    planted: 'const chance = Math.random();',
  },
  {
    name: 'decisions do not wait',
    holds: (path) => /^src\/(?:product|sandbox)\/.*decide\.ts$/.test(path) && !isTest(path),
    finds: /\b(?:async|await|Promise)\b/,
    codeOnly: true,
    planted: 'await later();',
  },
  {
    name: 'places and purposes of stored data are made where their labels are frozen',
    holds: (path) => inSources(path) && path !== 'src/core/labels.ts',
    finds: /\bas (?:Place|Purpose)\b/,
    codeOnly: true,
    planted: 'const bound = text as Place;',
  },
  {
    name: 'no label of a hash is typed in place',
    holds: inSources,
    finds: /(?:\bhash\('sha256', |\.update\()(?:'|`[^$`])/,
    planted: "return hash('sha256', `session:${token}`);",
  },
  {
    name: 'only a few files encrypt or make keyed hashes',
    holds: (path) => inSources(path) && !ENCRYPTS.includes(path),
    finds: /\b(?:create(?:Hmac|Cipheriv|Decipheriv)|hkdfSync)\(/,
    codeOnly: true,
    planted: "createHmac('sha256', key);",
  },
  {
    name: 'nothing prints but the command line',
    holds: (path) => inSources(path) && path !== 'src/main.ts',
    finds: /\bconsole\.|\bprocess\.stdout\b/,
    codeOnly: true,
    planted: 'console.log(1);',
  },
  {
    name: 'no path of a machine and no registry',
    holds: everywhere,
    finds: new RegExp(`${ROOT.replaceAll(/\W/g, '\\$&')}/|registry\\.npmjs|verdaccio`),
    planted: `const here = '${ROOT}/src';`,
  },
];

const written = writtenFiles();
const documents = filesOf('*.md', 'docs/**/*.md', 'migrations/*.sql', '.ci/run');
const own = 'test/tidy/words.test.ts';

function breaches(rule: Rule, files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path !== own && rule.holds(path))
    .flatMap(({ path, text }) =>
      (rule.codeOnly === true ? codeOf(text) : text)
        .split('\n')
        .map((line, at) => (rule.finds.test(line) ? `${path}:${at + 1} ${line.trim()}` : ''))
        .filter((found) => found !== ''),
    );
}

for (const rule of RULES) {
  test(rule.name, () => {
    const files = rule.codeOnly === true ? written : [...written, ...documents];
    assert.deepEqual(breaches(rule, files), []);
    const path = written.find((file) => rule.holds(file.path))?.path ?? '';
    assert.notEqual(path, '', 'the rule holds nowhere');
    assert.equal(breaches(rule, [{ path, text: rule.planted }]).length, 1, 'catches nothing');
  });
}

test('names of files and folders say something', () => {
  const banned = /^(?:helpers?|utils?|common|shared|misc|managers?)$/;
  const odd = written.filter(({ path }) =>
    path.split(/[/.-]/).some((word) => banned.test(word)),
  );
  assert.deepEqual(odd.map(({ path }) => path), []);
});

test('commented-out code is deleted', () => {
  const code = /^\s*\/\/ .*(?:;|\{|=> \w.*\))$/;
  const odd = written.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, at) => ({ line, where: `${path}:${at + 1}` }))
      .filter(({ line }) => code.test(line) && /[=(]/.test(line))
      .map(({ where }) => where),
  );
  assert.deepEqual(odd, []);
});

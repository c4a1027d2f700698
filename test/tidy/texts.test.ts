// The files of languages: every key in each, with the placeholders and plurals that it needs; no
// text for people outside of them, none that nobody says, and each flow loads what it says.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import compile from 'icu-minify/compile';
import { FLOW_GROUPS, SHARED_GROUPS } from '../../src/pages/text-files.ts';
import { faultOf, faultOfOwn, type OwnTexts, type Written } from '../../src/texts/index.ts';
import { importsOf } from './import-law.ts';
import { textsOutside } from './people-text.ts';
import { filesOf, isTest, ROOT } from './tree.ts';

const FOLDER = join(ROOT, 'texts');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const read = (name: string): Written => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
const english = read('en.json');

/** `group.name` and the text, in order. */
function entriesOf(written: Written): (readonly [string, string])[] {
  const groups = Object.entries(written).filter(([group]) => group !== 'about');
  return groups.flatMap(([group, texts]) =>
    Object.entries(texts).map(([name, text]) => [`${group}.${name}`, text] as const),
  );
}

test('a missing placeholder, an unknown one and a missing plural are found', () => {
  const said = compile('{count, plural, one {# of {name}} other {# of {name}}}');
  const plural = (branches: string): string => `{count, plural, ${branches}}`;
  assert.equal(faultOf(plural('one {#} other {#}'), said, 'en'), 'lacks {name}');
  const nom = faultOf(plural('one {# {name}} other {{nom}}'), said, 'en');
  assert.equal(nom, 'has {nom}, which nobody gives');
  assert.equal(faultOf(plural('other {# {name}}'), said, 'en'), 'lacks the plural "one"');
  assert.equal(faultOf(plural('other {# {name}}'), said, 'ja'), null);
  assert.match(faultOf('{what', said, 'en') ?? '', /no message/);
  assert.equal(faultOf('Nochmals.', compile('{english} Try again.'), 'de'), null);
});

test('a placeholder that would fail where it is shown is found', () => {
  const said = compile('{amount} to {count, plural, one {#} other {#}}, <link>more</link>');
  const rest = '{count} <link>mehr</link>';
  assert.equal(faultOf(`{amount} ${rest}`, said, 'de'), null);
  const kinds = ['date', 'time', 'number', 'number, ::unit/none', 'plural, one {#} other {#}'];
  for (const amount of [...kinds.map((kind) => `{amount, ${kind}}`), '<amount>x</amount>']) {
    const fault = faultOf(`${amount} ${rest}`, said, 'de');
    assert.equal(fault, 'has {amount} otherwise than we have it', amount);
  }
  const link = faultOf('{amount} {count} {link}', said, 'de');
  assert.equal(link, 'has {link} otherwise than we have it');
});

test('own texts in what is no language alone, or for no key, are refused', () => {
  for (const tag of ['de-u-nu-arab', 'en-x-own', 'x-own', 'EN', '__proto__']) {
    const own = JSON.parse(`{"${tag}": {"page.cancel": "x"}}`) as OwnTexts;
    assert.match(JSON.stringify(faultOfOwn(own)), /BCP 47/, tag);
  }
  for (const key of ['page.constructor', 'page.__proto__', '__proto__.page', 'page.cancel.more']) {
    const own = JSON.parse(`{"de": {"${key}": "x"}}`) as OwnTexts;
    assert.match(JSON.stringify(faultOfOwn(own)), /no key of ours/, key);
  }
});

for (const name of files) {
  const written = read(name);
  const { about } = written;
  const own = new Map(entriesOf(written));
  const said = entriesOf(english);

  test(`${name} says of itself what a page needs, and who has reviewed it`, () => {
    assert.ok(about.name !== '' && ['ltr', 'rtl'].includes(about.direction));
    assert.ok(about.reviewed !== '', 'write "nobody" where nobody has');
    const locales = [about.locale, ...(about.dates === undefined ? [] : [about.dates])];
    assert.deepEqual(Intl.NumberFormat.supportedLocalesOf(locales), locales);
  });

  test(`${name} has every key, and no other`, () => {
    assert.deepEqual(said.map(([key]) => key).filter((key) => !own.has(key)), [], 'missing');
    const known = new Set(said.map(([key]) => key));
    assert.deepEqual([...own.keys()].filter((key) => !known.has(key)), [], 'unknown');
  });

  test(`${name} says everything with its values, in all plurals`, () => {
    const wrong = said.flatMap(([key, text]) => {
      const fault = faultOf(own.get(key) ?? text, compile(text), about.locale);
      return fault === null || !own.has(key) ? [] : [`${key} ${fault}`];
    });
    assert.deepEqual(wrong, []);
  });
}

const widget = filesOf('widget/flows/**/*.{ts,tsx}').filter(({ path }) => !isTest(path));
const server = filesOf(
  ...['src/{pages,texts}/**/*.ts', 'src/http/trouble.ts', 'widget/loader/*.ts'],
  // Where people enter cards and confirm payments in a sandbox.
  'src/sandbox/simulators/processor/{*page,page*}.ts',
  'src/sandbox/simulators/processor/pages/*.js',
  ...['compose', 'receipt-view', 'send', 'texts'].map((name) => `src/product/tell/mail/${name}.ts`),
).filter(({ path }) => !isTest(path));
/** Files that speak to developers, who are told in English. */
const TECHNICAL = [
  ...['widget/flows/config.ts', 'src/pages/docs.ts'],
  ...['widget/loader/options.ts', 'widget/loader/execute.ts'],
];

test('no text for people stands outside of the files', () => {
  const looked = [...widget, ...server].filter(({ path }) => !TECHNICAL.includes(path));
  assert.deepEqual(looked.flatMap(textsOutside), []);
  const planted = [
    '<p>Pay now</p>',
    '<p>Pay {amount}</p>',
    '<Button onClick={() => pay()}>Pay</Button>',
    '<Field label="Name" />',
    "const words = 'Your bank declined it.';",
    'const said = `You have ${amount}.`;',
    "const NAMES = { card: 'Add a card' };",
    '<p>\n  Something went wrong\n</p>',
  ];
  for (const text of planted) {
    assert.equal(textsOutside({ path: 'widget/flows/x.tsx', text }).length, 1, text);
  }
});

/** Groups whose names are put together from codes. */
const BY_CODE = ['consent', 'kyc_reason', 'kyb_reason', 'failure', 'refusal', 'title', 'mail'];
/** Names that end, or begin, with a code. */
const PUT_TOGETHER = [
  /^kyc\.(?:(?:document|part)_|first$|middle$|last$)/,
  /^disagreement\.(?:reason|settled|limit)_/,
  /^kyb\.(?:type|person|role|step|status)_|^receipt\./,
  /^note\.(?:returned|expired)|_(?:title|lead|label|again)$/,
];

test('nothing is in the files that nobody says', () => {
  const code = [...widget, ...filesOf('{src,texts}/**/*.ts')].map(({ text }) => text).join('\n');
  const unsaid = entriesOf(english)
    .map(([key]) => key)
    .filter((key) => !BY_CODE.includes(key.split('.')[0] ?? ''))
    .filter((key) => !PUT_TOGETHER.some((one) => one.test(key)))
    .filter((key) => !/\.[A-Z_]+$/.test(key) && !code.includes(`'${key}'`));
  assert.deepEqual(unsaid.filter((key) => !/^page\.(?:day|year)$/.test(key)), []);
});

test('each flow loads the groups that it says', () => {
  const router = widget.find(({ path }) => path.endsWith('/router.tsx'))?.text ?? '';
  const imports = importsOf(widget);
  const shared: readonly string[] = SHARED_GROUPS;
  const flows = [...router.matchAll(/^ {2}'?([\w-]+)'?: async .*import\('\.\/(.*?)'\)/gm)];
  assert.equal(flows.length, Object.keys(FLOW_GROUPS).length - 1);
  const starts = [['page', 'main.tsx'] as const, ...flows.map(([, flow, file]) => [flow, file])];
  for (const [flow = '', file = ''] of starts) {
    const reached = new Set([`widget/flows/${file}`]);
    for (const one of reached) {
      for (const { from, to, isLazy } of imports) {
        if (from === one && isLazy !== true) reached.add(to);
      }
    }
    const text = widget.filter(({ path }) => reached.has(path)).map((one) => one.text).join('\n');
    const said = [...text.matchAll(/['`]([a-z_]+)\.[$\w{}]+['`]|textOf\('([a-z_]+)'/g)];
    const groups = new Set(said.map(([, one, other]) => one ?? other ?? ''));
    const loaded = [...shared, ...(FLOW_GROUPS[flow] ?? [])];
    const lost = [...groups].filter((one) => one in english && !loaded.includes(one));
    assert.deepEqual(lost, [], flow);
  }
});

// Every command that an operator's page tells somebody to type is typed by a test: by the one of
// its page, or by another that a row names with its reason.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BATTERIES } from '../../scripts/batteries.ts';
import { stepsOf } from '../prove/guide.ts';
import { ASIDE, operatorSteps } from '../prove/machine.ts';
import { ELSEWHERE, WALKED, type WalkedPage } from '../prove/page-rows.ts';
import { ROOT } from './tree.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const proven = new Set(BATTERIES.flatMap(({ files }) => files));
/** Blocks that are no commands. */
const SHOWN = ['ini', 'json', 'sql', 'text', 'yaml'];

/** The blocks of a page that no test types, by heading and number. */
function untyped({ by, whole }: WalkedPage, text: string): string[] {
  if (whole) return [];
  const named = by.flatMap((file) => [...read(file).matchAll(/'([A-Z][\w ]+)', (\d)\b/g)]);
  const typed = new Set(named.map(([, heading, at]) => `${heading}, ${at}`));
  return text.split(/^## /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'));
    const blocks = [...section.matchAll(/^```sh$/gm)].map((_, at) => `${heading}, ${at}`);
    return blocks.filter((block) => !typed.has(block));
  });
}

for (const page of WALKED) {
  test(`every command of ${page.page} is typed by a battery`, () => {
    const text = read(page.page);
    assert.ok(proven.has(page.by[0] ?? ''));
    // The test of a whole page reads it.
    const name = page.page.replace(/^docs\/|\.md$/g, '');
    if (page.whole) assert.ok(read(page.by[0] ?? '').includes(name), name);
    assert.deepEqual(untyped(page, text), []);
    const fences = [...text.matchAll(/^```(.*)$/gm)].map(([, kind]) => kind ?? '');
    assert.equal(fences.length % 2, 0);
    const kinds = fences.filter((_, n) => n % 2 === 0);
    assert.deepEqual(kinds.filter((kind) => kind !== 'sh' && !SHOWN.includes(kind)), []);
  });
}

test('what is done elsewhere is on a page, and by a battery', () => {
  const commands = WALKED.flatMap(({ page }) => stepsOf(read(page))).map(({ text }) => text);
  for (const { fits, by } of ELSEWHERE) {
    assert.ok(commands.some((command) => fits.test(command)), String(fits));
    assert.ok(proven.has(by), by);
  }
});

test('the section that another test types is on the page, and by a battery', () => {
  const { heading, by } = ASIDE;
  assert.ok(read('docs/operations.md').includes(`\n${heading}\n`));
  assert.ok(proven.has(by) && read(by).includes("operatorSteps('operations', 'aside')"));
  const [all, whole, aside] = [stepsOf(read('docs/operations.md')), operatorSteps('operations'),
    operatorSteps('operations', 'aside')];
  assert.equal(whole.length + aside.length, all.length);
});

test('nodes listen where the proxy and Prometheus of the page look for them', () => {
  const page = read('docs/operations.md');
  const of = (name: string): string => new RegExp(`^${name}=(.+)$`, 'm').exec(page)?.[1] ?? name;
  const [node, port] = [of('HOLDFAST_LISTEN'), of('HOLDFAST_PROXY_PORT')];
  assert.ok(read('deploy/haproxy.cfg').includes(`server one ${node}:${port}\n`));
  assert.ok(page.includes(`targets: ['${of('HOLDFAST_LISTEN_INTERNAL')}:7411'`));
  assert.ok(page.includes(`the proxy ${of('HOLDFAST_TRUSTED_PROXIES')}.`));
});

test('a block that nobody types is seen', () => {
  const page = WALKED.find(({ whole }) => !whole);
  assert.ok(page);
  const block = '```sh\nrm -r /\n```\n';
  const text = `## Backups\n\n${block}\n${block}\n${block}\n## Elsewhere\n\n${block}`;
  assert.deepEqual(untyped(page, text), ['Backups, 2', 'Elsewhere, 0']);
});

// Every command that an operator's page tells somebody to type is typed by a test: by the one of
// its page, or by another that a row names with its reason.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BATTERIES } from '../../scripts/batteries.ts';
import { stepsOf } from '../prove/guide.ts';
import { ASIDE, operatorSteps } from '../prove/machine.ts';
import { elsewhere, ELSEWHERE, WALKED, type WalkedPage } from '../prove/page-rows.ts';
import { ROOT } from './tree.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const proven = new Set(BATTERIES.flatMap(({ files }) => files));
/** Blocks that are no commands. */
const SHOWN = ['ini', 'json', 'sql', 'text', 'yaml'];

/** The commands of a page that no test types. */
function untyped({ by, whole }: WalkedPage, text: string): string[] {
  const begun = by.flatMap((file) => {
    return [...read(file).matchAll(/(?<=')(?:\w+ |HOLDFAST_OWNER_URL=|\/usr)[^'\n]*/g)];
  });
  const beginnings = begun.map(([start]) => start.trim()).filter((start) => start.length > 3);
  const commands = stepsOf(text).flatMap((step) => (step.kind === 'command' ? [step.text] : []));
  return commands.filter((command) => {
    if (whole || elsewhere(command) !== null) return false;
    return !beginnings.some((start) => command.startsWith(start));
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

test('a command that nobody types is seen', () => {
  const page = WALKED.find(({ whole }) => !whole);
  assert.ok(page);
  const text = '```sh\npatronictl -c x pause\npsql "x"\nrm -r /\n```\n';
  assert.deepEqual(untyped(page, text), ['patronictl -c x pause', 'rm -r /']);
});

// Plants each known defect in a copy of the tree: every test file that it names must fail there. A
// file that stays green is a test that proves nothing of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { defects } from '../planted/all.ts';
import { KINDS } from '../planted/kinds.ts';
import { Scratch, type TestFile } from '../planted/scratch.ts';

let scratch: Scratch;
before(async () => {
  scratch = await Scratch.open();
});
after(() => scratch.close());

const files = new Map<string, TestFile>();
test('without a defect every named file passes', async () => {
  for (const file of new Set(defects.flatMap(({ tests }) => tests))) {
    files.set(file, await scratch.measured(file));
  }
});

let killed = 0;
for (const defect of defects) {
  test(`${defect.name} is noticed`, async (t) => {
    for (const file of defect.tests) {
      const { end, how } = await scratch.attempt(defect, [files.get(file) ?? { file }]);
      process.stderr.write(`  ${end}: ${defect.name} (${file}${how === '' ? '' : `: ${how}`})\n`);
      assert.notEqual(end, 'survived', `${file} stays green although: ${defect.breaks}`);
    }
    killed += 1;
    if (defect !== defects.at(-1)) return;
    const kinds = Object.keys(KINDS).length;
    t.diagnostic(`${killed} of ${defects.length} defects of ${kinds} kinds killed`);
  });
}

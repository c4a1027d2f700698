// The processor's contract suite on the adapter of Stripe against localstripe, which keeps state
// and which nobody here wrote. What it lacks is a row here and on the adapter's page: the law is
// shown to fail there, so that a row goes once localstripe has it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  declareProcessor,
  type Law,
  type ProcessorBench,
} from '../../src/providers/processor/processor.contract.ts';
import { declareWaiting } from '../../src/providers/waiting.contract.ts';
import { installForeign } from '../kit/foreign.ts';
import { localstripeBench } from '../kit/stripe/localstripe.ts';
import { ROOT } from '../tidy/tree.ts';

const FORWARD = 'lists from an older row on, as the statement needs';
const SECURE = '3-D Secure on a page';
const DEBITS = 'US bank debits';

/** Laws that cannot hold there, and what localstripe lacks for them. */
const LACKS: Readonly<Record<string, string>> = {
  'a declined capture holds nothing': 'cards that are declined at the capture',
  'refunds never exceed what was captured, racing or not': 'a limit of what is refunded',
  'refunds racing a reverse give back what was captured, no more': FORWARD,
  'the statement shows each movement of its workspace, in order': FORWARD,
  'a buyer is asked once, at one URL, and nothing is captured before': SECURE,
  "a buyer's refusal is a final decline": SECURE,
  'a payment given up can no longer be confirmed': SECURE,
  'a confirmation racing a reverse leaves nothing captured': SECURE,
  'twenty decisions at once: one counts': SECURE,
  'a bank debit is pending until it settles': DEBITS,
  'a bank debit that fails takes nothing': DEBITS,
  'a pending debit can be given up': DEBITS,
};

let bench: ProcessorBench;
before(async () => {
  bench = await localstripeBench(installForeign());
});
after(() => bench?.close());

const titles: string[] = [];
const law: Law = (title, run) => {
  titles.push(title);
  const lack = LACKS[title];
  if (lack === undefined) test(`localstripe: ${title}`, () => run(bench));
  else test(`localstripe lacks ${lack}: ${title}`, () => assert.rejects(run(bench)));
};
declareProcessor(law);
declareWaiting(law);

test('the page of the adapter names what localstripe lacks', () => {
  assert.deepEqual(Object.keys(LACKS).filter((title) => !titles.includes(title)), []);
  const page = readFileSync(join(ROOT, 'docs/providers/stripe.md'), 'utf8').replace(/\s+/g, ' ');
  assert.deepEqual(Object.values(LACKS).filter((lack) => !page.includes(lack)), []);
});

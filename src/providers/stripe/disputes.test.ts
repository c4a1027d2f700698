// Answers to disputes at Stripe: where each piece goes, that nothing is left out in silence, and
// that after every fault at every call the same answer is submitted once. [G-93, M13]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../core/ids.ts';
import { EVIDENCE_KINDS, type AnswerOrder } from '../processor/port.ts';
import { payment } from '../processor/processor.contract.ts';
import { connectTo, secretOf, stripeBench } from '../../../test/kit/stripe/bench.ts';
import type { StripeBench } from '../../../test/kit/stripe/bench.ts';
import { openDispute } from '../../../test/kit/stripe/disputes.ts';
import type { Dispute } from '../../../test/kit/stripe/objects.ts';
import { FAULTS, type Call } from '../../../test/kit/stripe/server.ts';

const HERE = 7;
let bench: StripeBench;
let hasty: ReturnType<typeof connectTo>;
before(async () => {
  bench = await stripeBench();
  hasty = connectTo(bench.server, HERE, 400);
});
after(async () => {
  await hasty.close();
  await bench.close();
});

type File = AnswerOrder['files'][number];
const file = (kind: File['kind'], of = 'bytes \xff'): File => {
  return { kind, mime: 'application/pdf', bytes: Buffer.from(of, 'latin1') };
};

async function disputed(pieces: Partial<AnswerOrder>) {
  const charge = payment(HERE, await bench.goodCard(HERE));
  await bench.processor.authorize(charge);
  const taken = await bench.processor.capture(charge);
  assert.ok(taken.state === 'captured');
  const account = bench.server.account(secretOf(HERE));
  const dispute: Dispute = openDispute(account, taken.reference, 'fraudulent');
  const { id: reference } = dispute;
  const bare = { workspace: HERE, key: newUuid(), reference, charge: charge.key };
  return { account, dispute, order: { ...bare, texts: [], files: [], ...pieces } };
}

test('each piece goes to its place, and what has none is told in words', async () => {
  const texts = EVIDENCE_KINDS.map((kind) => ({ kind, text: `about ${kind}` }));
  const kinds = ['receipt', 'receipt', 'other', 'shipping_documentation'] as const;
  const files = kinds.map((kind) => file(kind, kind));
  const { account, dispute, order } = await disputed({ texts, files });
  assert.equal((await hasty.processor.answerDispute(order)).state, 'accepted');
  const { evidence } = dispute;
  assert.equal(evidence['product_description'], 'about product_description');
  assert.equal(evidence['refund_policy_disclosure'], 'about refund_policy');
  assert.equal(evidence['shipping_tracking_number'], 'about shipping_tracking');
  const rest = ['customer_communication', 'receipt', 'service_documentation'];
  for (const kind of [...rest, 'shipping_documentation', 'other']) {
    const said = `${kind.replaceAll('_', ' ')}: about ${kind}`;
    assert.ok(evidence['uncategorized_text']?.includes(said), kind);
  }
  const nameIn = (place: string): string | undefined =>
    account.files.get(evidence[place] ?? '')?.name;
  assert.equal(nameIn('receipt'), 'receipt-1.pdf');
  assert.equal(nameIn('uncategorized_file'), 'receipt-2.pdf');
  assert.equal(nameIn('service_documentation'), 'other-3.pdf');
  assert.equal(nameIn('shipping_documentation'), 'shipping_documentation-4.pdf');
});

test('more files than there are places are declined, and nothing is submitted', async () => {
  const files = Array.from({ length: 7 }, () => file('other'));
  const { dispute, order } = await disputed({ files });
  const outcome = await hasty.processor.answerDispute(order);
  assert.ok(outcome.state === 'declined');
  assert.equal(outcome.code, 'limit_exceeded');
  assert.equal(dispute.status, 'needs_response');
});

test("a dispute of another charge, and one that a person answered, take no answer", async () => {
  const { account, dispute, order } = await disputed({ files: [file('other')] });
  const { order: other } = await disputed({});
  const crossed = { ...order, charge: other.charge };
  assert.equal((await hasty.processor.answerDispute(crossed)).state, 'declined');
  assert.equal(account.files.size > 0 && dispute.status, 'needs_response');
  dispute.status = 'under_review';
  assert.equal((await hasty.processor.answerDispute(order)).state, 'declined');
  assert.equal((await hasty.processor.retrieveAnswer(order)).state, 'declined');
});

const nameOf = ({ method, route }: Call): string => `${method} ${route}`;
for (const name of ['GET /v1/disputes/:id', 'POST /v1/files', 'POST /v1/disputes/:id']) {
  for (const fault of FAULTS) {
    test(`${fault} at ${name}: submitted once all the same`, async () => {
      const texts = [{ kind: 'other', text: 'Said.' }] as const;
      const pieces = { texts, files: [file('receipt')] };
      const { dispute, order } = await disputed(pieces);
      bench.server.misbehave((call, nth) => (nameOf(call) === name && nth === 1 ? fault : null));
      const { processor } = hasty;
      let outcome = await processor.answerDispute(order);
      for (let tries = 0; tries < 3 && outcome.state !== 'accepted'; tries += 1) {
        assert.equal(outcome.state, 'unknown');
        const seen = await processor.retrieveAnswer(order);
        outcome = seen.state === 'absent' ? await processor.answerDispute(order) : seen;
      }
      bench.server.misbehave(() => null);
      assert.equal(outcome.state, 'accepted');
      assert.equal(dispute.evidence_details.submission_count, 1);
    });
  }
}

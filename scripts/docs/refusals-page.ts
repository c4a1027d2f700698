// The page of codes: every refusal of every host, and every reason why a payment can fail.
import { refusals as processorRefusals } from '../../src/sandbox/simulators/processor/index.ts';
import { refusals as vendorRefusals } from '../../src/sandbox/simulators/vendor/index.ts';
import { refusals } from '../../src/sandbox/index.ts';
import { FAILURE_REASONS } from '../../src/product/money/wallet/index.ts';
import { httpRefusals } from '../../src/http/refusals.ts';
import type { RefusalSpec } from '../../src/core/refusal.ts';
import { table } from './markdown.ts';

/** The page. */
export function refusalsPage(): string {
  const transport = unique(Object.values<RefusalSpec>(httpRefusals));
  const own = unique(refusals);
  const foreign = { ...processorRefusals, ...vendorRefusals };
  const processor = unique(Object.values<RefusalSpec>(foreign));
  const failures = Object.entries(FAILURE_REASONS).map(([code, text]) => [`\`${code}\``, text]);
  return `# Refusals

A refused request changes nothing. The response is the envelope with \`status\` \`Failure\`, the
code in \`codes\`, the sentence in \`message\` and \`payload.error\`, and a sentence for each
invalid field in \`payload.errors\`. Compare codes: sentences may change. "Retry" says whether the
same request may succeed later without a change.

## Product

${rows(own)}
## Transport

${rows(transport)}
## Sandbox card processor and identity vendor

These simulate external systems, on a host of their own, in staging only.

${rows(processor)}
# Failure codes

These are not refusals: the payment was attempted, and the invoice or deposit is \`failed\`.
\`failure_code\` is for programs, \`failure_reason\` for people.

${table(['failure_code', 'failure_reason'], failures)}`;
}

function unique(specs: readonly RefusalSpec[]): RefusalSpec[] {
  return [...new Map(specs.map((spec) => [`${spec.code} ${spec.status}`, spec])).values()];
}

function rows(specs: readonly RefusalSpec[]): string {
  const sorted = specs.toSorted((a, b) => (a.code < b.code ? -1 : Number(a.code > b.code)));
  return table(
    ['Code', 'Status', 'Sentence', 'Who can act', 'Retry', 'Source'],
    sorted.map((spec) => [
      `\`${spec.code}\``,
      String(spec.status),
      spec.sentence,
      spec.act,
      spec.retry ? 'yes' : 'no',
      spec.cites,
    ]),
  );
}

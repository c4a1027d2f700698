// Defects of what speaks to others: providers, receivers, people with a link, and a database whose
// answer is lost.
import type { Defect } from './defect.ts';

const COMMANDS = ['test/broken/commands.test.ts'];
const SYSTEM = ['test/prove/broken-calls.test.ts'];
const ATTEMPTS = ['src/product/money/wallet/attempt-settle.test.ts'];
const LINKS = ['test/api/session.test.ts'];
const DELIVERIES = ['test/webhook/delivery.test.ts'];

const database: readonly Defect[] = [
  {
    name: 'a commit without an answer is tried again',
    breaks: 'A command is refused as not done, and is done.',
    file: 'src/engine/transaction.ts',
    from: 'const unknown = committing && (cut || sqlState(error) === null);',
    to: 'const unknown = false;',
    tests: COMMANDS,
  },
  {
    name: 'a repeated command is done again',
    breaks: 'Who asks again after a lost answer moves the money twice.',
    file: 'src/engine/transaction.ts',
    from: '  draft.insert(idempotencyTable, row);',
    to: '  if (row.status > 299) draft.insert(idempotencyTable, row);',
    tests: COMMANDS,
  },
  {
    name: "a lost job is nobody's",
    breaks: 'A payment whose worker lost its claim stays processing for ever.',
    file: 'src/product/money/wallet/provider-worker.ts',
    from: 'and (leased_until is null or leased_until < $now)${held}',
    to: 'and leased_until is null${held}',
    tests: SYSTEM,
  },
];

const providers: readonly Defect[] = [
  {
    name: 'no answer is a refusal',
    breaks: 'A payment fails although the processor may have taken the money.',
    file: 'src/providers/stripe/connection.ts',
    from: "return replayed ? { trouble: 'unknown', replayed } : { trouble: 'unknown' };",
    to: "return replayed ? { trouble: 'no', replayed } : { trouble: 'no' };",
    tests: ['src/providers/stripe/stripe.test.ts'],
  },
  {
    name: 'a provider out of reach refuses',
    breaks: 'A seller is told for good that there is no account, because the database was away.',
    file: 'src/providers/payees/none.ts',
    from: "open: async () => ({ state: 'unknown' }),",
    to: "open: async () => ({ state: 'refused' }),",
    tests: ['src/providers/router.test.ts'],
  },
  {
    name: 'a lost database uses up a payout day',
    breaks: 'A scheduled payout is left out because its command was refused for a moment.',
    file: 'src/product/money/payout-schedule/run.ts',
    from: 'if (!(error instanceof Refusal) || error.spec.retry) throw error;',
    to: 'if (!(error instanceof Refusal)) throw error;',
    tests: ['src/product/money/payout-schedule/payout-schedule.test.ts'],
  },
  {
    name: 'another amount is credited',
    breaks: 'A seller is credited although the processor took a cent less.',
    file: 'src/product/money/wallet/attempt-settle.ts',
    from: 'if (outcome.amount !== attempt.amount || outcome.currency !== attempt.currency) {',
    to: 'if (outcome.currency !== attempt.currency) {',
    tests: ATTEMPTS,
  },
  {
    name: 'another currency is credited',
    breaks: 'A seller is credited in dollars for what was taken in yen.',
    file: 'src/product/money/wallet/attempt-settle.ts',
    from: 'if (outcome.amount !== attempt.amount || outcome.currency !== attempt.currency) {',
    to: 'if (outcome.amount !== attempt.amount) {',
    tests: ATTEMPTS,
  },
  {
    name: 'an old webhook counts',
    breaks: 'A webhook that was recorded can be sent again for ever.',
    file: 'src/providers/stripe/notices.ts',
    from: 'const TOLERANCE = 300;',
    to: 'const TOLERANCE = 300_000;',
    tests: ['src/providers/stripe/stripe.test.ts'],
  },
  {
    name: 'a refund leaves no trace on the charge',
    breaks: 'More goes back to a card than was taken from it.',
    file: 'src/product/money/refund/refunded.ts',
    from: 'refunded: before.refunded + sign * amount };',
    to: 'refunded: before.refunded };',
    tests: ['src/product/money/refund/refunded.test.ts'],
  },
  {
    name: 'each refund rounds its tax alone',
    breaks: 'Refunds of a line in small parts return more tax than it had, or less.',
    file: 'src/product/money/invoice/tax.ts',
    from: 'const due = proportionOf(tax, before.amount + amount, line.amount) - before.tax;',
    to: 'const due = proportionOf(tax, amount, line.amount);',
    tests: ['src/product/money/refund/refunded.test.ts'],
  },
  {
    name: 'the tax is the integrator\'s to spend',
    breaks: 'What is to be remitted pays for refunds, and no report says how much it is.',
    file: 'src/product/money/invoice/postings.ts',
    from: "lines.push(systemAccount(lineage, 'tax_collected', allocation.currency, tax));",
    to: "lines.push(systemAccount(lineage, 'integrator_share', allocation.currency, tax));",
    tests: ['src/product/money/refund/tax.test.ts', 'test/prove/money-laws.test.ts'],
  },
  {
    name: 'the audit does not see tax too much',
    breaks: 'More tax may be kept than sales and refunds say, unseen.',
    file: 'src/product/money/refund/laws.ts',
    from: 'where coalesce(h.held, 0) <> coalesce(e.tax, 0)',
    to: 'where coalesce(h.held, 0) < coalesce(e.tax, 0)',
    tests: ['src/product/money/refund/tax.test.ts'],
  },
  {
    name: 'a payout without an identity',
    breaks: 'Money leaves to somebody whose identity was denied.',
    file: 'src/product/money/payout/eligibility.ts',
    from: "if (kyc?.state !== 'ACCEPT') return no.PAYOUT_KYC_REQUIRED;",
    to: 'if (kyc === null) return no.PAYOUT_KYC_REQUIRED;',
    tests: ['src/product/money/payout/refusals.test.ts'],
  },
];

const people: readonly Defect[] = [
  {
    name: 'a link opens twice',
    breaks: 'Two people who have the address of a link get a session each.',
    file: 'src/product/access/oauth/sessions.ts',
    from: 'where nonce_hash = $1 and used_at is null and expires > workspace_at(workspace, $now)',
    to: 'where nonce_hash = $1 and expires > workspace_at(workspace, $now)',
    tests: LINKS,
  },
  {
    name: 'an address inside the network is called',
    breaks: 'A tenant has us call what only our own network reaches.',
    file: 'src/providers/outbound/port.ts',
    from: "if (range !== 'unicast' || INSIDE_A_CLOUD.has(parsed.toString())) return 'inside';",
    to: "if (range === 'private') return 'inside';",
    tests: ['test/webhook/outbound.test.ts'],
  },
  {
    name: 'webhooks overtake each other',
    breaks: 'The second event of a resource is sent while the first waits for its retry.',
    file: 'src/product/tell/webhook/queue.ts',
    from: 'from seen s where s.head = s.sequence',
    to: 'from seen s where s.head <= s.sequence',
    tests: DELIVERIES,
  },
  {
    name: 'a block that follows another one',
    breaks: 'A chain that was cut and joined again is taken for whole.',
    file: 'src/product/tell/audit/verify.ts',
    from: 'if (!block.previous.equals(linkTo(last))) {',
    to: 'if (block.previous.length > 1_000) {',
    tests: ['test/audit/tamper.pg.test.ts'],
  },
];

export const callDefects: readonly Defect[] = [...database, ...providers, ...people];

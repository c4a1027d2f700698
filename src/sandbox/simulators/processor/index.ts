// The card processor simulator: a provider with its own records, reached over HTTP like a real one.
// Test cards and accounts, charges and outbound transfers that happen once per key, a statement,
// webhooks, and failures on request. It must not use anything of the product's domain.
import { challengeOperations } from './challenge-api.ts';
import { disputeOperations } from './dispute-api.ts';
import { entryOperations } from './entry-api.ts';
import { exchangeOperations } from './exchange-api.ts';
import { workspaceOperations } from './workspace-api.ts';
export { processorKey, type SandboxProcessorServices } from './endpoint.ts';
export { sendUnknown } from './entry-page.ts';
export { plainLook, sendPage, voiceIn } from './page.ts';
export { pages } from './challenge-page.ts';
export { refusals } from './refusals.ts';
export { TEST_CARDS, type Attachable } from './test-cards.ts';
export { ATTACHABLES, TEST_ACCOUNTS } from './test-accounts.ts';
export { paymentEnd, SCENARIOS } from './scenarios.ts';
export { EXCHANGE_NAMES } from './exchanges.ts';
export { NOTICES } from './notices.ts';

/** Every endpoint of the processor, in the order of the docs. */
export const operations = [
  ...exchangeOperations,
  ...disputeOperations,
  ...workspaceOperations,
  ...entryOperations,
  ...challengeOperations,
];

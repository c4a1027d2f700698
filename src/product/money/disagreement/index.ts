// Disagreements between buyer and seller of an escrow: it is frozen from the opening until what it
// holds is divided, by the tenant, by agreement or by the default at a limit. [G-96]
export { endWithEscrow, loadDisagreement, watchDisagreement } from './clock.ts';
export {
  addStatement,
  answerProposal,
  openDisagreement,
  proposeSplit,
  resolveDisagreement,
} from './decide.ts';
export { disagreementMachine } from './machine.ts';
export { disagreementOfInvoice, offererOf, readDisagreement } from './read.ts';
export { refusals } from './refusals.ts';
export { lookAtStatement } from './state.ts';
export type { DisagreementRecord, Said } from './schema.ts';
export { disagreementOf, disagreementTable } from './tables.ts';

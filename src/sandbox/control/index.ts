// The sandbox's own calls: deposits from nowhere, test cards and accounts, and failures on request.
// Absent in production. The processor behind the cards is a port; deposits and cards are stored by
// wallet.
export { ensureSandboxBank } from './bank-api.ts';
export { tokenOf } from './outside-api.ts';

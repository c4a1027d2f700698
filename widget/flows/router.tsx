// Which code draws which flow. Each flow is loaded on demand, so that a page carries its own flow
// only.
import type { FlowName } from '../protocol.ts';
import type { FlowComponent } from './flow.ts';

const FLOWS: Readonly<Record<FlowName, () => Promise<FlowComponent>>> = {
  'payment-selection': async () => (await import('./selection/flow.tsx')).SelectionFlow,
  checkout: async () => (await import('./checkout/flow.tsx')).CheckoutFlow,
  tos: async () => (await import('./tos/flow.tsx')).TosFlow,
  kyc: async () => (await import('./kyc/flow.tsx')).KycFlow,
  purchase: async () => (await import('./purchase/flow.tsx')).PurchaseFlow,
  payout: async () => (await import('./payout/flow.tsx')).PayoutFlow,
  'payout-full': async () => (await import('./payout-full/flow.tsx')).PayoutFullFlow,
  kyb: async () => (await import('./kyb/flow.tsx')).KybFlow,
  escrow: async () => (await import('./escrow/flow.tsx')).EscrowFlow,
  txnhistory: async () => (await import('./history/flow.tsx')).HistoryFlow,
  txndetails: async () => (await import('./history/details-flow.tsx')).DetailsFlow,
};

/** Loads a flow's code. Throws if it cannot be fetched. */
export function loadFlow(name: FlowName): Promise<FlowComponent> {
  return FLOWS[name]();
}

// Webhooks: endpoints, deliveries and their outcomes. Every sealed event reaches each subscribed
// endpoint, signed and in order for each resource, or becomes a visible dead letter. Sealing events
// is the outbox's.
export { deliveryLoop } from './loop.ts';
export type { DeliveryLoop, DeliveryOptions } from './loop.ts';
export { fanOut } from './fan-out.ts';
export { beginEpoch } from './epoch.ts';
export { endForwarding, ensureEndpoint } from './forward.ts';
export { once as onceWithSecret } from './once.ts';
export { hastenDeliveries } from './queue.ts';
export { copyNamed } from './origin.ts';
export { delaysOf, type HourOfDelay } from './delays.ts';
export { endpointLags } from './lag.ts';
export { endEndpoint, registerEndpoint } from './register.ts';
export { secretsInUse } from './secret-rows.ts';
export { webhookRefusals as refusals } from './refusals.ts';
export { attemptShown, deliveryShown } from './retention.ts';
export { findEndpoint, listEndpoints, type EndpointRow } from './endpoint.ts';
export { DELIVERY_STATES } from './outcome.ts';
export { readDeliveries, readEvent } from './read.ts';
export { rangeOf, sendAgain } from './replay.ts';
export type { ReplayRequest } from './replay.ts';
export { sendTest, signedDelivery } from './by-hand.ts';
export type { SignedDelivery, TestSent } from './by-hand.ts';

// Webhooks: who is told of events, what was sent to them, and what came back. Answers for every
// sealed event reaching each subscribed endpoint or becoming a visible dead letter, in order per
// resource, signed. Refuses to know what events mean, and how they were sealed.
import { endpointOperations } from './api.ts';
import { eventOperations } from './events-api.ts';

export { deliveryLoop } from './loop.ts';
export type { DeliveryLoop, DeliveryOptions } from './loop.ts';
export { fanOut } from './fan-out.ts';
export type { SealedEvent } from './fan-out.ts';
export { beginEpoch } from './epoch.ts';
export { endForwarding, ensureEndpoint } from './forward.ts';
export type { ForwardServices } from './forward.ts';
export { once as onceWithSecret } from './once.ts';
export { hastenDeliveries } from './queue.ts';
export { copyNamed } from './origin.ts';
export { endEndpoint, registerEndpoint } from './register.ts';
export { secretsInUse } from './secret-rows.ts';
export { wrappedWebhookKeys } from './secret.ts';
export type { WebhookServices } from './services.ts';
export type { WebhookTokenSigner } from './sign.ts';
export { webhookRefusals as refusals } from './refusals.ts';
export { EVENT_NAMES } from './schema.ts';

/** Endpoints and the event stream. */
export const operations = [...endpointOperations, ...eventOperations];

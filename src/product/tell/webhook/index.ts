// Webhooks: endpoints, deliveries and their outcomes. Every sealed event reaches each subscribed
// endpoint, signed and in order for each resource, or becomes a visible dead letter. Sealing events
// is the outbox's.
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

export const operations = [...endpointOperations, ...eventOperations];

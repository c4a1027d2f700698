// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { endpointOperations } from './api.ts';
import { eventOperations } from './events-api.ts';
import { webhookRefusals } from './refusals.ts';
import { wrappedWebhookKeys } from './secret.ts';

export const module: Module = {
  name: 'tell/webhook',
  operations: [...endpointOperations, ...eventOperations],
  refusals: webhookRefusals,
  wrapped: [wrappedWebhookKeys],
};

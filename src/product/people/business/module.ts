// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { formOperations } from './form-api.ts';
import { laws } from './laws.ts';
import { agentMachine, entityMachine } from './machine.ts';
import { agentNotFoundInBody, entityNotStarted, refusals } from './refusals.ts';
import { statusMessage } from './schema.ts';

export const module: Module = {
  name: 'people/business',
  operations: [...operations, ...formOperations],
  machines: [entityMachine, agentMachine],
  laws,
  messages: { entityChanged: statusMessage },
  refusals: { ...refusals, agentNotFoundInBody, entityNotStarted },
};

// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { formOperations } from './form-api.ts';
import { laws } from './laws.ts';
import { checkMachine, kycMachine } from './machine.ts';
import { refusals } from './refusals.ts';
import { expiringMessage, kycStatusRecord } from './schema.ts';
import { applicationOperations } from './submission-api.ts';
import { fileRefusals } from '../../../providers/files/port.ts';

export const module: Module = {
  name: 'people/identity',
  operations: [...operations, ...applicationOperations, ...formOperations],
  machines: [kycMachine, checkMachine],
  laws,
  messages: { kycChanged: kycStatusRecord, documentExpiring: expiringMessage },
  // Only identity declares those of files.
  refusals: { ...refusals, ...fileRefusals },
};

// What the catalogue lists of this module.
import { dueQueue, jobQueue, peopleQueue } from '../../../core/queue.ts';
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
  queues: [
    peopleQueue('kyc_review', 'Identities to review', '/reviews',
      `select updated as at from kyc where workspace = w.workspace and state = 'MANUAL_REVIEW'
      order by updated, id`, 'kyc'),
    dueQueue('kyc', 'Reviews and documents whose time is over'),
    jobQueue('identity_job', 'Checks at the identity vendor'),
    {
      name: 'kyc_moved',
      title: 'Businesses whose people moved',
      table: 'kyc_moved',
      by: 'worker',
      rows: 'select moved as at from kyc_moved where workspace = w.workspace order by moved',
      real: true,
    },
  ],
};

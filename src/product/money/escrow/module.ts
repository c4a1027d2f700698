// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { escrowMachine } from './machine.ts';
import { escrowPaymentRecords, escrowRecords } from './read.ts';
import { refusals } from './refusals.ts';
import { escrowRecord } from './schema.ts';

export const module: Module = {
  name: 'money/escrow',
  operations,
  machines: [escrowMachine],
  laws,
  records: [escrowRecords, escrowPaymentRecords],
  messages: { escrowChanged: escrowRecord, escrowExpiring: escrowRecord },
  refusals,
};

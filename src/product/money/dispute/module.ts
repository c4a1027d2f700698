// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { answerMachine, disputeMachine } from './machine.ts';
import { disputeRecords } from './read.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'money/dispute',
  operations,
  machines: [disputeMachine, answerMachine],
  laws,
  records: [disputeRecords],
  refusals,
};

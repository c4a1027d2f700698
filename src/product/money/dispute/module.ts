// What the catalogue lists of this module.
import { dueQueue, jobQueue, peopleQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { lists } from './list.ts';
import { answerMachine, disputeMachine } from './machine.ts';
import { disputeRecords } from './read.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'money/dispute',
  lists,
  operations,
  machines: [disputeMachine, answerMachine],
  laws,
  records: [disputeRecords],
  refusals,
  queues: [
    peopleQueue('dispute', 'Disputes to answer', '/disputes',
      `select created as at from dispute where workspace = w.workspace
      and state = 'needs_response' order by created`),
    peopleQueue('dispute_at_bank', 'Disputes under review by the bank', '/disputes',
      `select created as at from dispute where workspace = w.workspace
      and state = 'under_review' order by created`, 'dispute'),
    dueQueue('dispute', 'Disputes whose deadline is near or has passed'),
    jobQueue('dispute_answer_job', 'Evidence of disputes for the processor'),
  ],
};

// What the catalogue lists of this module.
import { peopleQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { laws } from './laws.ts';
import { payoutFileMachine } from './machine.ts';

export const module: Module = {
  name: 'money/payout-file',
  machines: [payoutFileMachine],
  laws,
  queues: [
    peopleQueue('payout_to_collect', 'Payouts to collect into a file', '/payout-files',
      `select updated as at from transfer t where workspace = w.workspace and state = 'waiting'
      and not exists (select from payout_file_item i where i.workspace = t.workspace
        and i.transfer_id = t.id and i.live) order by id`, 'transfer'),
    peopleQueue('payout_file', 'Payout files to confirm or hand over', '/payout-files',
      `select updated as at from payout_file where workspace = w.workspace
      and state in ('collected', 'confirmed') order by updated`),
  ],
};

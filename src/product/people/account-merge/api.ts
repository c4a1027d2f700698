// The operation that merges accounts. Body and answer are the interface's where it shows them, ours
// otherwise. [G-22]
import { z } from 'zod';
import { strictObject, wireIdOf } from '../../../core/schema.ts';
import { accountUuid, namesNoAccount } from '../account/index.ts';
import { operation, submit, type DomainOperation } from '../../context.ts';
import { moneyUnderWay } from '../retention/index.ts';
import { mergeAccounts } from './decide.ts';
import { refusals } from './refusals.ts';

const mergeBody = strictObject({
  source_account_id: wireIdOf('acct'),
  destination_account_id: wireIdOf('acct'),
});

const mergeRecord = z.strictObject({
  source_account_id: z.string(),
  destination_account_id: z.string(),
  balances: z
    .array(
      z.strictObject({ currency: z.string(), amount: z.int() }).meta({ title: 'MergedBalance' }),
    )
    .meta({ description: 'Amounts that this request moved, in minor units, by currency.' }),
});

function idOf(body: z.output<typeof mergeBody>, field: keyof z.output<typeof mergeBody>): string {
  const id = accountUuid(body[field]);
  if (id === null) throw namesNoAccount(field);
  return id;
}

const merge = operation({
  id: 'mergeAccounts',
  route: 'POST accounts /v2/merge-accounts',
  summary: 'Merges an account into another: moves its funds and closes it permanently.',
  cites: 'G-22',
  access: { client: 'write_registrations' },
  body: mergeBody,
  answers: { 200: mergeRecord },
  refusals: Object.values(refusals),
  async run(services, request) {
    const { caller, body } = request;
    const source = idOf(body, 'source_account_id');
    const destination = idOf(body, 'destination_account_id');
    const open = await moneyUnderWay(services.db, caller.workspace, source);
    const input = { source, destination, open, block_id: services.random.uuid() };
    return submit(services, request, mergeAccounts, input);
  },
});

export const operations: readonly DomainOperation[] = [merge];

// The operations of disputes, all reads. A dispute is answered on the processor's own pages; its
// statement then reports the outcome. [G-93]
import { z } from 'zod';
import { strictObject } from '../../../core/schema.ts';
import { found, operation, type DomainOperation } from '../../context.ts';
import { listDisputes, readDispute } from './read.ts';
import { refusals as no } from './refusals.ts';
import { disputePage, disputeRecord, disputesQuery } from './schema.ts';

const access = { client: 'read_invoices' } as const;
const LIST_DEFAULT = 20;

const list = operation({
  id: 'listDisputes',
  route: 'GET invoicing /v1/disputes',
  summary: 'Lists disputes and bank returns, newest first.',
  cites: 'G-93',
  access,
  query: disputesQuery,
  answers: { 200: disputePage },
  async run({ db }, { caller, query }) {
    const { limit, offset, ...filter } = query;
    const page = { limit: Number(limit ?? LIST_DEFAULT), offset: Number(offset ?? 0) };
    return { status: 200, payload: await listDisputes(db, caller.workspace, filter, page) };
  },
});

const get = operation({
  id: 'getDispute',
  route: 'GET invoicing /v1/disputes/{dispute_id}',
  summary: 'Retrieves a dispute.',
  cites: 'G-93',
  access,
  params: strictObject({ dispute_id: z.string() }),
  answers: { 200: disputeRecord },
  refusals: [no.DISPUTE_NOT_FOUND],
  async run({ db }, { caller, params }) {
    return found(await readDispute(db, caller.workspace, params.dispute_id), no.DISPUTE_NOT_FOUND);
  },
});

export const operations: readonly DomainOperation[] = [list, get];

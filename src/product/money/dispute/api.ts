// The operations of disputes: reads, and the evidence that is collected and submitted. How a
// dispute goes on is reported by the processor's statement alone. [G-93]
import { z } from 'zod';
import { strictObject } from '../../../core/schema.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { fileRefusals } from '../../../providers/files/port.ts';
import { found, operation, submissionOf, type DomainOperation } from '../../context.ts';
import { EVIDENCE_BYTES } from '../evidence/index.ts';
import { collectEvidence, submitCollected } from './collect.ts';
import { listDisputes, readDispute } from './read.ts';
import { refusals as no } from './refusals.ts';
import { disputePage, disputeRecord, disputesQuery, evidenceBody } from './schema.ts';

const access = { client: 'read_invoices' } as const;
const LIST_DEFAULT = 20;
const path = strictObject({ dispute_id: z.string() });

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
  params: path,
  answers: { 200: disputeRecord },
  refusals: [no.DISPUTE_NOT_FOUND],
  async run({ db }, { caller, params }) {
    return found(await readDispute(db, caller.workspace, params.dispute_id), no.DISPUTE_NOT_FOUND);
  },
});

/** What refuses a dispute that takes no evidence now. */
const closed = [
  no.DISPUTE_NOT_FOUND,
  no.DISPUTE_NOT_OPEN,
  no.DISPUTE_OVERDUE,
  no.DISPUTE_ALREADY_ANSWERED,
];
const writes = { cites: 'G-93', access: { client: 'write_invoices' }, params: path } as const;

const addEvidence = operation({
  ...writes,
  id: 'addDisputeEvidence',
  route: 'POST invoicing /v1/disputes/{dispute_id}/evidence',
  summary: 'Adds a text or a file to the evidence of a dispute; nothing is submitted yet.',
  body: evidenceBody,
  bodyLimit: EVIDENCE_BYTES,
  heavy: true,
  answers: { 201: disputeRecord },
  refusals: [
    inputRefusals.MISSING_FIELD,
    inputRefusals.INVALID_FIELD,
    ...closed,
    no.DISPUTE_PERSON_ERASED,
    no.DISPUTE_TOO_MUCH_EVIDENCE,
    ...Object.values(fileRefusals),
  ],
  run: (services, request) => {
    const { params, body } = request;
    return collectEvidence(services, params.dispute_id, body, submissionOf(request));
  },
});

const submit = operation({
  ...writes,
  id: 'submitDispute',
  route: 'POST invoicing /v1/disputes/{dispute_id}/submit',
  highPriority: true,
  summary: 'Submits all evidence of a dispute to the processor, once.',
  answers: { 200: disputeRecord },
  refusals: [...closed, no.DISPUTE_EVIDENCE_MISSING],
  run: (services, request) =>
    submitCollected(services, request.params.dispute_id, submissionOf(request)),
});

export const operations: readonly DomainOperation[] = [list, get, addEvidence, submit];

// The operations of disagreements. A session speaks for its own account, which must be the escrow's
// buyer or one of its sellers; a client for the tenant, or for the account that it names. [G-96]
import { z } from 'zod';
import type { CommandAnswer } from '../../../engine/index.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import { strictObject } from '../../../core/schema.ts';
import { fileRefusals } from '../../../providers/files/port.ts';
import {
  found,
  operation,
  submissionOf,
  submit,
  type Sender,
  type Services,
} from '../../context.ts';
import { disagreementPolicy } from '../../tenant/settings/index.ts';
import { refusals as ofEscrow } from '../escrow/index.ts';
import { EVIDENCE_BYTES, withRecord } from '../evidence/index.ts';
import {
  answerProposal,
  openDisagreement,
  proposeSplit,
  resolveDisagreement,
  type Word,
} from './decide.ts';
import { disagreementRecords, readDisagreement, sidesOf } from './read.ts';
import { refusals as no } from './refusals.ts';
import {
  answerBody,
  disagreementRecord,
  openBody,
  proposalBody,
  splitBody,
  statementBody,
  statementRecord,
} from './schema.ts';
import { collectStatement, openStatement } from './state.ts';

const path = strictObject({ escrow_id: z.string() });
const common = { cites: 'G-96', params: path } as const;
const writes = {
  ...common,
  access: { client: 'write_invoices', session: 'write_disagreements' },
} as const;
const reads = { ...common, access: { client: 'read_invoices', session: 'read_invoices' } } as const;

interface Request extends Sender {
  readonly params: { readonly escrow_id: string };
}

/** Who speaks. A checkout's session has no account that takes a side. */
function wordOf({ caller, params }: Request, named?: string): Word {
  const session = caller.kind !== 'client';
  const escrowId = uuidOfWireId('esc', params.escrow_id);
  if (!session) return { escrowId, account: named ?? null, session };
  const own = caller.authorizedInvoiceId === undefined ? (caller.accountId ?? '') : '';
  if (named !== undefined && named !== own) throw refuse(ofEscrow.ESCROW_NOT_FOUND);
  return { escrowId, account: own, session };
}

/** The word of a side: a client names whose it is. Throws a Refusal. */
function sideWord(request: Request, named: string | undefined): Word {
  const word = wordOf(request, named);
  if (word.account === null) {
    throw refuse(inputRefusals.MISSING_FIELD, { account_id: 'is required' });
  }
  return word;
}

/** The escrow that may be read: all of the tenant's, or a session's own. Throws a Refusal. */
async function readable(services: Services, request: Request): Promise<string> {
  const { escrowId, account, session } = wordOf(request);
  const { workspace } = request.caller;
  const sides = await sidesOf(services.db, workspace, escrowId);
  const own = !session || (account !== null && sides?.has(account) === true);
  if (escrowId === null || sides === null || !own) throw refuse(ofEscrow.ESCROW_NOT_FOUND);
  return escrowId;
}

/** The answer with the record as it is at that version. */
async function shown(
  { db }: Services,
  { caller }: Sender,
  answer: Promise<CommandAnswer>,
): Promise<CommandAnswer> {
  return withRecord(db, disagreementRecords, caller.workspace, await answer);
}

const open = operation({
  ...writes,
  id: 'openDisagreement',
  route: 'POST invoicing /v2/escrow/{escrow_id}/dispute',
  highPriority: true,
  summary: 'Opens a disagreement about an escrow, which freezes it until that is settled.',
  body: openBody,
  answers: { 201: disagreementRecord },
  refusals: [
    ofEscrow.ESCROW_NOT_FOUND,
    ofEscrow.ESCROW_NOT_ESCROWED,
    no.DISAGREEMENT_WRONG_SIDE,
    no.DISAGREEMENT_EXISTS,
  ],
  async run(services, request) {
    const { opened_by: openedBy, reason } = request.body;
    const { days, outcome } = await disagreementPolicy(services.db, request.caller.workspace);
    const input = { ...wordOf(request), openedBy, reason, days, outcome };
    return shown(services, request, submit(services, request, openDisagreement, input));
  },
});

const get = operation({
  ...reads,
  id: 'getDisagreement',
  route: 'GET invoicing /v2/escrow/{escrow_id}/dispute',
  summary: 'Retrieves the disagreement about an escrow.',
  answers: { 200: disagreementRecord },
  refusals: [ofEscrow.ESCROW_NOT_FOUND, no.DISAGREEMENT_NOT_FOUND],
  async run(services, request) {
    const escrowId = await readable(services, request);
    const record = await readDisagreement(services.db, request.caller.workspace, escrowId);
    return found(record, no.DISAGREEMENT_NOT_FOUND);
  },
});

/** What refuses a word of a side. */
const spoken = [
  inputRefusals.MISSING_FIELD,
  ofEscrow.ESCROW_NOT_FOUND,
  no.DISAGREEMENT_NOT_FOUND,
  no.DISAGREEMENT_NOT_OPEN,
  no.DISAGREEMENT_STRANGER,
];
/** What refuses a split. */
const divided = [
  ofEscrow.ESCROW_LINE_NOT_FOUND,
  ofEscrow.ESCROW_LINE_REPEATED,
  no.DISAGREEMENT_SPLIT_WRONG,
];

const state = operation({
  ...writes,
  id: 'addDisagreementStatement',
  route: 'POST invoicing /v2/escrow/{escrow_id}/dispute/statements',
  summary: 'Adds a text or a file of one side to a disagreement.',
  body: statementBody,
  bodyLimit: EVIDENCE_BYTES,
  heavy: true,
  answers: { 201: disagreementRecord },
  refusals: [
    ...spoken,
    inputRefusals.INVALID_FIELD,
    no.DISAGREEMENT_PERSON_ERASED,
    no.DISAGREEMENT_TOO_MUCH_EVIDENCE,
    ...Object.values(fileRefusals),
  ],
  run(services, request) {
    const { account_id, ...given } = request.body;
    const word = sideWord(request, account_id);
    return collectStatement(services, word, given, submissionOf(request));
  },
});

const readState = operation({
  ...reads,
  id: 'getDisagreementStatement',
  route: 'GET invoicing /v2/escrow/{escrow_id}/dispute/statements/{statement_id}',
  summary: 'Retrieves what one side of a disagreement stated or handed in.',
  params: strictObject({ escrow_id: z.string(), statement_id: z.string() }),
  answers: { 200: statementRecord },
  refusals: [ofEscrow.ESCROW_NOT_FOUND, no.DISAGREEMENT_NOT_FOUND, no.STATEMENT_NOT_FOUND],
  async run(services, request) {
    const escrowId = await readable(services, request);
    const { caller: { workspace }, params } = request;
    const record = await readDisagreement(services.db, workspace, escrowId);
    if (record === null) throw refuse(no.DISAGREEMENT_NOT_FOUND);
    const said = await openStatement(services, workspace, record, params.statement_id);
    return found(said, no.STATEMENT_NOT_FOUND);
  },
});

const propose = operation({
  ...writes,
  id: 'proposeSplit',
  route: 'POST invoicing /v2/escrow/{escrow_id}/dispute/proposal',
  summary: 'Proposes for one side how to divide what an escrow holds; the last proposal counts.',
  body: proposalBody,
  answers: { 201: disagreementRecord },
  refusals: [...spoken, no.DISAGREEMENT_SEVERAL_SELLERS, ...divided, no.DISAGREEMENT_OWN_LINE],
  async run(services, request) {
    const { account_id, ...wish } = request.body;
    const id = services.random.uuid();
    const input = { ...sideWord(request, account_id), id, wish };
    return shown(services, request, submit(services, request, proposeSplit, input));
  },
});

const answer = operation({
  ...writes,
  id: 'answerProposal',
  route: 'POST invoicing /v2/escrow/{escrow_id}/dispute/answer',
  highPriority: true,
  summary: 'Accepts or declines the proposal of the other side; what is accepted is done at once.',
  body: answerBody,
  answers: { 200: disagreementRecord },
  refusals: [
    ...spoken,
    no.DISAGREEMENT_NO_PROPOSAL,
    no.DISAGREEMENT_OWN_PROPOSAL,
    no.DISAGREEMENT_SPLIT_WRONG,
    no.DISAGREEMENT_OWN_LINE,
    ofEscrow.ESCROW_DISPUTED,
  ],
  async run(services, request) {
    const { account_id, proposal_id: proposal, answer: said } = request.body;
    const input = { ...sideWord(request, account_id), proposal, accepts: said === 'accept' };
    return shown(services, request, submit(services, request, answerProposal, input));
  },
});

const resolve = operation({
  ...common,
  id: 'resolveDisagreement',
  route: 'POST invoicing /v2/escrow/{escrow_id}/resolve',
  highPriority: true,
  summary: 'Divides what an escrow holds among sellers, buyer and integrator, which ends both.',
  // What becomes of held money is the tenant's decision, as for a commit.
  access: { client: 'write_invoices' },
  body: splitBody,
  answers: { 200: disagreementRecord },
  refusals: [
    ofEscrow.ESCROW_NOT_FOUND,
    no.DISAGREEMENT_NOT_FOUND,
    no.DISAGREEMENT_NOT_OPEN,
    ...divided,
    ofEscrow.ESCROW_DISPUTED,
  ],
  async run(services, request) {
    const input = { ...wordOf(request), wish: request.body };
    return shown(services, request, submit(services, request, resolveDisagreement, input));
  },
});

export const operations = [open, get, state, readState, propose, answer, resolve];

// Operations on terms of service: the text, whether a person agreed to it, and agreeing. [G-21]
import { z } from 'zod';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { optional, reference, strictObject, wireIdOf } from '../../../core/schema.ts';
import { invoiceTime } from '../../../core/time.ts';
import { accountIs, ownAccountOnly, refusals as account } from '../account/index.ts';
import { actorOf, operation, type DomainOperation, type Services } from '../../context.ts';
import { once } from '../../idempotent/index.ts';
import { currentTerms } from './publish.ts';
import { refusals } from './refusals.ts';
import { hasSigned, signTerms } from './sign.ts';

const VERSION_MAX = 2_147_483_647;

const word = reference().meta({ description: 'Name of the service, by default `service`.' });

const termsRecord = strictObject({
  version: z.number(),
  tos_created: z.string(),
  tos_content: z.string().meta({ description: 'Plain text; empty lines separate paragraphs.' }),
});

const signedRecord = strictObject({ signed_tos: z.boolean() });

const signBody = strictObject({
  version: optional(z.number().int().min(1).max(VERSION_MAX)).meta({
    description: 'The version that was shown; by default the current one.',
  }),
});

/** The word in the path names this service; any other has no terms. [G-80] */
function requireWord({ word }: Services, asked: string): void {
  if (asked !== word) throw refuse(refusals.TERMS_NOT_FOUND);
}

/** UUID of the account that a token speaks for. */
function ownAccount(caller: Caller): string {
  return ownAccountOnly(caller, caller.accountId ?? '', account.ACCOUNT_NOT_FOUND);
}

const getTerms = operation({
  id: 'getTerms',
  route: 'GET accounts /v1/tos',
  summary: 'Retrieves the current terms of service.',
  cites: 'G-21',
  access: 'public',
  answers: { 200: termsRecord },
  refusals: [refusals.TERMS_NOT_FOUND],
  async run({ db }) {
    const current = await currentTerms(db);
    if (current === null) throw refuse(refusals.TERMS_NOT_FOUND);
    const { version, created, content } = current;
    const payload = { version, tos_created: invoiceTime(created), tos_content: content };
    return { status: 200, payload };
  },
});

const own = {
  cites: 'G-21',
  access: { user: 'read_kyc' },
  params: strictObject({ word }),
} as const;

const getOwnSignature = operation({
  ...own,
  id: 'getOwnTermsSignature',
  route: 'GET accounts /v1/user-info/tos/{word}',
  summary: "Tells whether the token's person accepted the current terms; true if there are none.",
  answers: { 200: signedRecord },
  refusals: [refusals.TERMS_NOT_FOUND, account.ACCOUNT_NOT_FOUND],
  async run(services, { caller, params }) {
    requireWord(services, params.word);
    const signed = await hasSigned(services.db, caller.workspace, ownAccount(caller));
    return { status: 200, payload: { signed_tos: signed } };
  },
});

const sign = operation({
  ...own,
  id: 'signTerms',
  route: 'POST accounts /v1/user-info/tos/{word}',
  summary: "Accepts the current terms as the token's person; repeating it changes nothing.",
  body: signBody,
  answers: { 200: z.null() },
  refusals: [
    refusals.TERMS_NOT_FOUND,
    account.ACCOUNT_NOT_FOUND,
    refusals.TERMS_VERSION_STALE,
  ],
  async run(services, { caller, params, body, idempotency }) {
    requireWord(services, params.word);
    const { workspace } = caller;
    const signer = ownAccount(caller);
    return once(services.db, workspace, idempotency, async (tx) => {
      const current = await currentTerms(tx);
      if (current === null) throw refuse(refusals.TERMS_NOT_FOUND);
      await signTerms(tx, workspace, signer, body.version ?? current.version, actorOf(caller));
      return { status: 200, payload: null };
    });
  },
});

/**
 * The public service answers this without the envelope, so the fields stand in both forms. Only the
 * person may give the signature itself.
 */
const getSignature = operation({
  ...own,
  id: 'getTermsSignature',
  route: 'GET accounts /user-info/{account_id}/tos/{word}',
  summary: 'Tells whether a person accepted the current terms; true if there are none.',
  access: { client: 'read_accounts' },
  params: strictObject({ account_id: wireIdOf('acct'), word }),
  bare: true,
  answers: {
    200: signedRecord.extend({
      status: z.literal('Success'),
      message: z.array(z.string()),
      codes: z.array(z.string()),
      payload: signedRecord,
    }),
  },
  refusals: [refusals.TERMS_NOT_FOUND, account.ACCOUNT_NOT_FOUND],
  async run(services, { caller, params }) {
    requireWord(services, params.word);
    const id = ownAccountOnly(caller, params.account_id, account.ACCOUNT_NOT_FOUND);
    const known = await accountIs(services.db, caller.workspace, id);
    if (!known) throw refuse(account.ACCOUNT_NOT_FOUND);
    const payload = { signed_tos: await hasSigned(services.db, caller.workspace, id) };
    const bare = { ...payload, status: 'Success', message: [], codes: [], payload };
    return { status: 200, bare };
  },
});

export const operations: readonly DomainOperation[] = [
  getTerms,
  getOwnSignature,
  sign,
  getSignature,
];

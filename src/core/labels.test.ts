// The labels of stored data, written out once more: a change of one fails here, before it makes
// data unreadable.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as labels from './labels.ts';
import type { Place, Purpose } from './labels.ts';

/**
 * As they are since they were released. A label may be added; none may change, nor its key be given
 * another.
 */
const FROZEN = {
  SEALED: {
    mailWords: 'mail_words',
    emailCheck: 'email_check',
    receiptLink: 'receipt_link',
    person: 'account_person',
    blockNote: 'block_note',
    refundNote: 'refund_note',
    payoutDestination: 'payout_destination',
    reviewNote: 'review_note',
    updateAnswer: 'update_answer',
    application: 'kyc_application',
    applicationNote: 'kyc_note',
    document: 'kyc_document',
    statements: 'match_person',
    matchCounted: 'match_counted',
    business: 'entity',
    agent: 'entity_agent',
    evidence: 'dispute_evidence',
    businessDocument: 'entity_document',
    businessDocumentName: 'entity_document_name',
    bankStatement: 'bank_statement',
    bankEntry: 'bank_entry',
    mail: 'mail',
    installation: 'installation',
    operator: 'operator',
  },
  SECRETS: {
    signingKey: 'signing_key',
    auditKey: 'audit_key',
    webhookSecret: 'webhook_secret',
    answerSecret: 'kept_secret',
    providerCredentials: 'provider_credentials',
  },
  KEYED: {
    receiptLink: 'receipt-link',
    installation: 'installation',
    clientSecret: 'client-secret',
    operatorUsername: 'operator-username',
    operatorSignOn: 'operator-sign-on',
    operatorDevice: 'operator-device',
    operatorPassword: 'operator-password',
    operatorThrottle: 'operator-throttle',
    identityLink: 'kyc_link',
    idempotency: 'idempotency',
    processor: 'processor',
    vendor: 'vendor',
    receiver: 'receiver',
    vendorDigest: 'vendor digest',
    answerDigest: 'answer digest',
  },
  KEYED_BY_LINEAGE: {
    emailCode: 'email_code',
    username: 'username',
    erasedUsername: 'erased_username',
    watchList: 'watch_list',
    ssnLast4: 'kyc_ssn_last4',
    checkOrder: 'check_order',
    match: 'match',
    matchCount: 'match_count',
    matchCounted: 'match_counted',
    imported: 'imported',
    mailAddress: 'mail_address',
  },
  HASHED: {
    operatorSession: 'holdfast-session:',
    operatorForm: 'holdfast-csrf:',
    operatorInvitation: 'holdfast-invitation:',
    operatorSignOnTry: 'holdfast-sign-on:',
    documentView: 'holdfast-review-view:',
    linkCookie: 'cookie:',
    forwarding: 'holdfast forward-to ',
    derivedId: 'holdfast/',
  },
  CHAINED: {
    step: 'step',
    entry: 'entry',
    event: 'event',
    block: 'block',
    signed: 'holdfast audit',
    proven: 'holdfast proven',
  },
} as const;

for (const [group, frozen] of Object.entries(FROZEN)) {
  test(`the labels ${group} are the ones that data was stored under`, () => {
    assert.deepEqual(
      labels[group as keyof typeof FROZEN],
      frozen,
      'Stored data could no longer be opened, found or verified: put the label back. ' +
        'A new label is added to this list too.',
    );
  });
}

test('a label is put together with its row in one way', () => {
  assert.equal(labels.sealedPlace('person', 7, 'id'), '7/account_person/id');
  assert.equal(labels.secretPlace('webhookSecret', 7, 'id', 2), 'webhook_secret:7:id:2');
  assert.equal(labels.purposeOf('clientSecret'), 'client-secret');
  assert.equal(labels.lineagePurpose('username', 7), 'username:7');
});

test('no two groups of places or purposes can meet', () => {
  const { SEALED, SECRETS, KEYED, KEYED_BY_LINEAGE } = FROZEN;
  for (const groups of [[SEALED], [SECRETS], [KEYED, KEYED_BY_LINEAGE]]) {
    const texts = groups.flatMap((group): string[] => Object.values(group));
    assert.equal(new Set(texts).size, texts.length);
  }
  // A text that is typed in place does not compile as either.
  const typed: string extends Place | Purpose ? true : false = false;
  assert.equal(typed, false);
});

// Webhooks of the vendor simulator and their signature. A webhook names a key and says nothing
// about the person.
import type { IdentityEvent } from '../../ports/persons.ts';
import type { NoticeBook } from '../store/notices.ts';
import type { Signing } from '../store/signing.ts';
import { happenAsPlanned } from './checks.ts';
import { noticeBody, type NoticeBody } from './protocol.ts';

/** How the vendor signs. */
export const SIGNING: Signing<NoticeBody> = {
  body: noticeBody,
  signatureHeader: 'vendor-signature',
  workspaceHeader: 'vendor-world',
  signed: ({ notice_id, key }) => [notice_id, key],
};

/** The vendor's webhooks and later decisions. */
export const NOTICES: NoticeBook<NoticeBody, object, IdentityEvent> = {
  book: 'vendor',
  ownColumns: [],
  signing: SIGNING,
  bodyOf: ({ number, key, created: at }) => ({ notice_id: `vntc_${number}`, key, at }),
  happen: happenAsPlanned,
};

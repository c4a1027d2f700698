// Webhooks of the vendor simulator and their signature. A webhook names a key and says nothing
// about the person.
import { startNotices as start } from '../store/notices.ts';
import type { NoticeBook, NoticeOptions, Notices } from '../store/notices.ts';
import type { Signing } from '../store/signing.ts';
import { happenDue } from './checks.ts';
import { noticeBody, type NoticeBody } from './protocol.ts';

/** How the vendor signs. */
export const SIGNING: Signing<NoticeBody> = {
  body: noticeBody,
  signatureHeader: 'vendor-signature',
  workspaceHeader: 'vendor-workspace',
  signed: ({ notice_id, key }) => [notice_id, key],
};

const BOOK: NoticeBook<NoticeBody, object> = {
  book: 'vendor',
  ownColumns: [],
  signing: SIGNING,
  bodyOf: ({ number, key, created: at }) => ({ notice_id: `vntc_${number}`, key, at }),
  happenDue,
};

/** Starts the vendor's webhooks and later decisions. */
export function startNotices(options: NoticeOptions): Notices {
  return start(options, BOOK);
}

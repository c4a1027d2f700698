// Webhooks of the processor simulator and their signature.
import type { NoticeBook } from '../store/notices.ts';
import type { Signing } from '../store/signing.ts';
import { happen, type DueEvent } from './outside.ts';
import { noticeBody, type NoticeBody } from './protocol.ts';

/** How the processor signs. */
export const SIGNING: Signing<NoticeBody> = {
  body: noticeBody,
  signatureHeader: 'processor-signature',
  workspaceHeader: 'processor-world',
  signed: ({ notice_id, key, about }) => [notice_id, key, about],
};

/** The processor's webhooks and delayed events. */
export const NOTICES: NoticeBook<NoticeBody, Pick<NoticeBody, 'about'>, DueEvent> = {
  book: 'processor',
  ownColumns: ['about'],
  signing: SIGNING,
  bodyOf: ({ number, key, about, created: at }) => ({ notice_id: `ntc_${number}`, key, about, at }),
  happen,
};

// The webhook body of the processor simulator, and the start of its sender.
import { startNotices as start } from '../store/notices.ts';
import type { NoticeBook, NoticeOptions, Notices } from '../store/notices.ts';
import { SIGNING } from './notice-signature.ts';
import { happenDue } from './outside.ts';
import type { NoticeBody } from './protocol.ts';

const BOOK: NoticeBook<NoticeBody, Pick<NoticeBody, 'about'>> = {
  book: 'processor',
  ownColumns: ['about'],
  signing: SIGNING,
  bodyOf: ({ number, key, about, created: at }) => ({ notice_id: `ntc_${number}`, key, about, at }),
  happenDue,
};

/** Starts the processor's webhooks and delayed events. */
export function startNotices(options: NoticeOptions): Notices {
  return start(options, BOOK);
}

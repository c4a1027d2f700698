// How a webhook of the processor simulator is signed: fields and headers. Both the simulator and
// the client read this.
import { signature, type Signing } from '../store/signing.ts';
import { noticeBody, type NoticeBody } from './protocol.ts';

export const SIGNATURE_HEADER = 'processor-signature';
export const WORKSPACE_HEADER = 'processor-workspace';

type Signed = Omit<NoticeBody, 'at'>;

const signed = ({ notice_id, key, about }: Signed): readonly string[] => [notice_id, key, about];

/** How the processor signs. */
export const SIGNING: Signing<NoticeBody> = {
  body: noticeBody,
  signatureHeader: SIGNATURE_HEADER,
  workspaceHeader: WORKSPACE_HEADER,
  signed,
};

/** 64 hexadecimal digits under the workspace's secret; `seconds`: time of sending, UTC. */
export function noticeSignature(
  secret: string,
  seconds: number,
  workspace: number,
  notice: Signed,
): string {
  return signature(secret, seconds, workspace, signed(notice));
}

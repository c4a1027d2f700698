// Signs and authenticates a simulator's webhooks. A caller whose signature fails does not learn
// why.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';

/** How one simulator signs: headers and signed fields. `B`: the webhook's body. */
export interface Signing<B> {
  readonly body: z.ZodType<B>;
  readonly signatureHeader: string;
  readonly workspaceHeader: string;
  /** What is signed besides time and workspace, in order. */
  signed(body: B): readonly string[];
}

/** Allowed seconds of clock difference and travel time. */
const AGE_MAX = 300;
const WORKSPACE = /^[1-9][0-9]{0,9}$/;
const LARGEST_WORKSPACE = 2_147_483_647;
const SIGNATURE = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/;

/** 64 hexadecimal digits under the workspace's secret; `seconds`: time of sending, UTC. */
function signature(
  secret: string,
  seconds: number,
  workspace: number,
  signed: readonly string[],
): string {
  const text = [seconds, workspace, ...signed].join('.');
  return createHmac('sha256', secret).update(text).digest('hex');
}

/** The headers of a webhook: its workspace, and its signature at the time of sending. */
export function signedHeaders<B>(
  signing: Signing<B>,
  secret: string,
  seconds: number,
  workspace: number,
  body: B,
): Readonly<Record<string, string>> {
  const mark = signature(secret, seconds, workspace, signing.signed(body));
  return {
    [signing.workspaceHeader]: String(workspace),
    [signing.signatureHeader]: `t=${seconds},v1=${mark}`,
  };
}

/** Reads a webhook; null unless it is signed and fresh. Compares signatures in constant time. */
export function readSigned<B>(
  signing: Signing<B>,
  keyOf: (workspace: number) => string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: unknown,
  nowMs: number,
): { readonly workspace: number; readonly body: B } | null {
  const [named, said] = [headers[signing.workspaceHeader], headers[signing.signatureHeader]];
  const read = signing.body.safeParse(body);
  if (typeof named !== 'string' || typeof said !== 'string' || !read.success) return null;
  const [workspace, parts] = [Number(named), SIGNATURE.exec(said)];
  if (!WORKSPACE.test(named) || workspace > LARGEST_WORKSPACE || parts === null) return null;
  const seconds = Number(parts[1]);
  const right = signature(keyOf(workspace), seconds, workspace, signing.signed(read.data));
  const equal = timingSafeEqual(Buffer.from(parts[2] ?? '', 'hex'), Buffer.from(right, 'hex'));
  if (!equal || Math.abs(nowMs / 1000 - seconds) > AGE_MAX) return null;
  return { workspace, body: read.data };
}

// Sends a submission, which may be megabytes from a slow phone: reports progress and gives up only
// if the connection makes none.
import { payloadOf, unreachable } from '../api.ts';
import type { FlowContext } from '../flow.ts';
import type { Country, KycForm } from './records.ts';

/** Milliseconds without any progress. */
const STILL_MS = 60_000;

/** Sends it; `onShare` gets 0 to 1. The same key again is the same submission. Throws ApiError. */
export async function sendSubmission(
  { session }: FlowContext,
  body: object,
  key: string,
  onShare: (share: number) => void,
): Promise<void> {
  const request = new XMLHttpRequest();
  const answered = new Promise<Response>((resolve, reject) => {
    const fail = (): void => reject(unreachable());
    let timer = setTimeout(() => request.abort(), STILL_MS);
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), STILL_MS);
      onShare(total === 0 ? 1 : loaded / total);
    };
    request.onload = () => {
      resolve(new Response(request.responseText, { status: request.status }));
    };
    request.onerror = fail;
    request.onabort = fail;
    request.onloadend = () => clearTimeout(timer);
  });
  request.open('POST', '/ui/api/pii/v2/kyc');
  request.setRequestHeader('Accept', 'application/json');
  request.setRequestHeader('Authorization', `Bearer ${session.access_token}`);
  request.setRequestHeader('Content-Type', 'application/json');
  request.setRequestHeader('Idempotency-Key', key);
  request.send(JSON.stringify(body));
  await payloadOf(await answered);
}

/** What the person must provide now. Throws ApiError. */
export function formOf({ api }: FlowContext): Promise<KycForm> {
  return api.get('/pii/v2/kyc/form');
}

/** A fresh address of the identity vendor's page, which opens once. Throws ApiError. */
export function vendorPageOf({ api }: FlowContext): Promise<{ readonly url: string }> {
  return api.get('/pii/v2/kyc/vendor_page');
}

/** Every country. Throws ApiError. */
export function countriesOf({ api }: FlowContext): Promise<readonly Country[]> {
  return api.get('/pii/v2/kyc/countries');
}

// What is answered where no operation and no page is: 404, 405 with the methods that there are, and
// for a browser that opens a host of programs, where its documentation is.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from '../core/refusal.ts';
import { httpRefusals } from './refusals.ts';
import { allowedMethods, pathOf, type Routed } from './route-table.ts';
import { send, sendRefusal, type RefusalStyle } from './send.ts';
import { wantsPage } from './trouble.ts';

/**
 * Answers a request that no route took. `front`: where a browser is led from `/` and `/docs`;
 * programs get 404 there.
 */
export function answerUnknown(
  addresses: readonly Routed[],
  raw: IncomingMessage,
  response: ServerResponse,
  style: RefusalStyle,
  front: string | undefined,
): void {
  const allow = allowedMethods(addresses, pathOf(raw));
  if (front !== undefined && isLed(raw)) {
    send(raw, response, 303, null, { Location: front, Vary: 'Accept' });
  } else if (allow.length > 0 && raw.method === 'OPTIONS') {
    send(raw, response, 204, null, { Allow: allow.join(', ') });
  } else if (allow.length === 0 || allow.includes(raw.method ?? '')) {
    // A page's own method gets here if its path cannot be decoded.
    sendRefusal(raw, response, refuse(httpRefusals.NOT_FOUND), style);
  } else {
    sendRefusal(raw, response, refuse(httpRefusals.METHOD_NOT_ALLOWED), { ...style, allow });
  }
}

function isLed(raw: IncomingMessage): boolean {
  const reads = raw.method === 'GET' || raw.method === 'HEAD';
  return reads && ['/', '/docs'].includes(pathOf(raw)) && wantsPage(raw);
}

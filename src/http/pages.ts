// Registers HTML pages beside a host's operations and limits how often they are opened.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../core/refusal.ts';
import type { Limits } from './limits.ts';
import type { ClientAddressOf } from './client-address.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page opened by one-time links: counted by address. */
    readonly oneTimeLink?: true;
  }
}

/**
 * Registers pages beside the operations, in their own context; they may count by client address.
 */
export type Pages<S> = (
  app: FastifyInstance,
  services: S,
  clientAddressOf: ClientAddressOf,
) => void | Promise<void>;

/**
 * Counts a page request in, and out when its response ends in any way. Pages need no token, and
 * each may query the database. Null: it may proceed.
 */
export function admitPage(
  limits: Limits,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal | null {
  limits.enter();
  reply.raw.once('close', () => limits.leave());
  try {
    limits.requirePlace(false);
    if (request.routeOptions.config.oneTimeLink) limits.takeOfAddress('links', request.raw);
    return null;
  } catch (error) {
    return error as Refusal;
  }
}

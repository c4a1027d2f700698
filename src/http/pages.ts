// Answers for how pages come to stand beside the operations of a host, and how many are looked at.
// Refuses to know what they show.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../kernel/refusal.ts';
import type { Limits } from './limits.ts';
import type { SenderOf } from './sender.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page that one-time links lead to: counted by address. */
    readonly oneTimeLink?: true;
  }
}

/**
 * Registers pages beside the operations, in a context of their own; they may count by sender.
 */
export type Pages<S> = (
  app: FastifyInstance,
  services: S,
  senderOf: SenderOf,
) => void | Promise<void>;

/**
 * Counts a page in, and out when its response ends in any way. Whoever asks for pages has shown
 * nothing, and each may ask the database. Null: it may go on.
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
    if (request.routeOptions.config.oneTimeLink) limits.takeOfSender('links', request.raw);
    return null;
  } catch (error) {
    return error as Refusal;
  }
}

// Endpoints of charges and outbound transfers under the caller's keys.
import type { Answer } from '../../../core/operation.ts';
import { callCounts } from '../store/endpoint.ts';
import { play } from '../store/playing.ts';
import { effectOf, type Question } from './effects.ts';
import { call, endpoint, type SandboxProcessorServices } from './endpoint.ts';
import { LATE_MS } from './exchanges.ts';
import { happenLater } from './outside.ts';
import { chargeBody, transferBody } from './protocol.ts';
import { refusals } from './refusals.ts';
import { tokenOf, usualExchange } from './script.ts';

/** Answers a call as the script, the card and the record say. */
async function answer(services: SandboxProcessorServices, question: Question): Promise<Answer> {
  const { db, random, urls } = services;
  const { workspace, key } = 'order' in question ? question.order : question;
  const { operation } = question;
  const token = await tokenOf(db, question);
  return play(services, 'processor', {
    ...{ workspace, key, operation, token },
    usual: (turn) => usualExchange(turn, operation),
    async effect(exchange) {
      const reference = `ch_${random.uuid().replaceAll('-', '')}`;
      const seen = await effectOf({ db, urls }, question, exchange, reference);
      const { later } = exchange;
      if (later !== undefined) await happenLater(db, workspace, key, later, LATE_MS);
      return seen;
    },
    denial(seen) {
      const { reference = key } = (seen ?? {}) as { readonly reference?: string };
      return { state: 'declined', key, reference, code: 'card_declined' };
    },
  });
}

const SUMMARIES = {
  authorize: 'Authorizes a charge under the key, once.',
  capture: 'Captures the authorized charge under the key, once.',
  reverse: 'Reverses the charge under the key; an unused key can no longer be charged.',
} as const;

function chargeEndpoint(operation: keyof typeof SUMMARIES) {
  return call({
    id: `processor${operation[0]?.toUpperCase()}${operation.slice(1)}`,
    route: `POST /v1/charges/{key}/${operation}`,
    summary: SUMMARIES[operation],
    body: chargeBody,
    refusals: [refusals.CHARGE_ABSENT, refusals.KEY_REUSED],
    run(services, { workspace, params: { key }, body }) {
      const order = { workspace, key, ...body, amount: BigInt(body.amount) };
      return answer(services, { operation, order });
    },
  });
}

const remit = call({
  id: 'processorRemit',
  route: 'POST /v1/remittances/{key}',
  summary: 'Sends a refund of a charge, or a payout, under the key, once.',
  body: transferBody,
  refusals: [refusals.KEY_REUSED],
  run(services, { workspace, params: { key }, body }) {
    const order = { workspace, key, ...body, amount: BigInt(body.amount) };
    return answer(services, { operation: 'remit', order });
  },
});

function lookEndpoint(id: string, folder: string, operation: 'look' | 'look_remittance') {
  return call({
    id,
    route: `GET /v1/${folder}/{key}`,
    summary: 'Retrieves the record of the key; `absent` if there is none.',
    run: (services, { workspace, params: { key } }) =>
      answer(services, { operation, workspace, key }),
  });
}

export const exchangeOperations = [
  chargeEndpoint('authorize'),
  chargeEndpoint('capture'),
  chargeEndpoint('reverse'),
  lookEndpoint('processorLook', 'charges', 'look'),
  endpoint(callCounts('processor', 'processorExchanges', 'charges')),
  remit,
  lookEndpoint('processorLookRemittance', 'remittances', 'look_remittance'),
  endpoint(callCounts('processor', 'processorRemittanceExchanges', 'remittances')),
];

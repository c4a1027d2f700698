// Endpoints of charges and outbound transfers under the caller's keys.
import { z } from 'zod';
import type { Answer } from '../../../core/operation.ts';
import { EXCHANGE_ANSWERS } from '../store/endpoint.ts';
import { answerQuestion } from './answering.ts';
import { endpoint, KEY_PARAMS } from './endpoint.ts';
import { chargeBody, transferBody } from './protocol.ts';
import { refusals } from './refusals.ts';
import { exchangesOf } from './script.ts';

const SUMMARIES = {
  authorize: 'Authorizes a charge under the key, once.',
  capture: 'Captures the authorized charge under the key, once.',
  reverse: 'Reverses the charge under the key; an unused key can no longer be charged.',
} as const;

function chargeEndpoint(operation: keyof typeof SUMMARIES) {
  return endpoint({
    id: `processor${operation[0]?.toUpperCase()}${operation.slice(1)}`,
    route: `POST /v1/charges/{key}/${operation}`,
    summary: SUMMARIES[operation],
    params: KEY_PARAMS,
    body: chargeBody,
    answers: EXCHANGE_ANSWERS,
    refusals: [refusals.CHARGE_ABSENT, refusals.KEY_REUSED],
    async run(services, { workspace, params, body }): Promise<Answer> {
      const { token, currency } = body;
      const order = { workspace, key: params.key, token, amount: BigInt(body.amount), currency };
      return answerQuestion(services, { operation, order });
    },
  });
}

const remit = endpoint({
  id: 'processorRemit',
  route: 'POST /v1/remittances/{key}',
  summary: 'Sends a refund of a charge, or a payout, under the key, once.',
  params: KEY_PARAMS,
  body: transferBody,
  answers: EXCHANGE_ANSWERS,
  refusals: [refusals.KEY_REUSED],
  async run(services, { workspace, params, body }) {
    const order = { workspace, key: params.key, ...body, amount: BigInt(body.amount) };
    return answerQuestion(services, { operation: 'remit', order });
  },
});

const LOOKS = {
  charges: { operation: 'look', id: 'processorLook' },
  remittances: { operation: 'look_remittance', id: 'processorLookRemittance' },
} as const;

function lookEndpoint(folder: keyof typeof LOOKS) {
  const { operation, id } = LOOKS[folder];
  return endpoint({
    id,
    route: `GET /v1/${folder}/{key}`,
    summary: 'Retrieves the record of the key; `absent` if there is none.',
    params: KEY_PARAMS,
    answers: EXCHANGE_ANSWERS,
    async run(services, { workspace, params }) {
      return answerQuestion(services, { operation, workspace, key: params.key });
    },
  });
}

const CALL = z.looseObject({ operation: z.string() }).meta({ title: 'ProcessorCall' });

function exchangesEndpoint(folder: keyof typeof LOOKS, id: string) {
  return endpoint({
    id,
    route: `GET /v1/${folder}/{key}/exchanges`,
    summary: 'Counts the calls under the key by kind.',
    params: KEY_PARAMS,
    answers: { 200: z.object({ exchanges: z.array(CALL) }) },
    async run({ db }, { workspace, params }) {
      return { status: 200, bare: { exchanges: await exchangesOf(db, workspace, params.key) } };
    },
  });
}

export const exchangeOperations = [
  chargeEndpoint('authorize'),
  chargeEndpoint('capture'),
  chargeEndpoint('reverse'),
  lookEndpoint('charges'),
  exchangesEndpoint('charges', 'processorExchanges'),
  remit,
  lookEndpoint('remittances'),
  exchangesEndpoint('remittances', 'processorRemittanceExchanges'),
];

// Endpoints of answers to disputes, under the caller's keys.
import { play } from '../store/playing.ts';
import { chargeOf } from './charges.ts';
import { lookAnswer, readAnswer, takeAnswer } from './dispute-answers.ts';
import { call } from './endpoint.ts';
import { exchangeOf } from './exchanges.ts';
import { ANSWER_BYTES_MAX, disputeBody } from './protocol.ts';
import { refusals } from './refusals.ts';
import { usualExchange } from './script.ts';

const answerDispute = call({
  id: 'processorDispute',
  route: 'POST /v1/disputes/{key}',
  summary: 'Answers a dispute under the key, once; of the evidence only a digest is stored.',
  body: disputeBody,
  bodyLimit: ANSWER_BYTES_MAX,
  heavy: true,
  refusals: [refusals.KEY_REUSED],
  async run(services, { workspace, params: { key }, body, bodyDone }) {
    const { db, keys } = services;
    const given = readAnswer(keys, workspace, key, body);
    bodyDone?.();
    const token = (await chargeOf(db, workspace, given.charge))?.token ?? '';
    return play(services, 'processor', {
      ...{ workspace, key, operation: 'answer', token },
      usual: (turn) => usualExchange(turn, 'answer'),
      effect: (exchange) => takeAnswer(db, given, exchange),
    });
  },
});

const lookUp = call({
  id: 'processorLookDispute',
  route: 'GET /v1/disputes/{key}',
  summary: 'Retrieves the answer under the key; `absent` if there is none.',
  run(services, { workspace, params: { key } }) {
    const effect = () => lookAnswer(services.db, workspace, key);
    const asked = { workspace, key, operation: 'look_answer', token: null };
    return play(services, 'processor', { ...asked, usual: () => exchangeOf('honest'), effect });
  },
});

export const disputeOperations = [answerDispute, lookUp];

// The processor port over HTTP. Network trouble and every answer that is not plainly understood are
// `unknown`, never a failure and never a success. [M13] Nothing is retried here: the key makes a
// repetition safe, and the caller decides about it.
import { readJson } from '../../../core/json.ts';
import type {
  AnswerOrder,
  AnswerOutcome,
  CardToken,
  ChargeOrder,
  ChargeOutcome,
  Processor,
  TransferOrder,
  TransferOutcome,
} from '../../../providers/processor/port.ts';
import type { SandboxCards } from '../../ports/cards.ts';
import { openLine, type JsonLine, type LineOptions } from './json-line.ts';
import { piecesWithFiles } from './file-pieces.ts';
import { SIGNING } from '../processor/notices.ts';
import { readSigned } from '../store/signing.ts';
import {
  answerOutcome,
  chargeOutcome,
  transferOutcome,
  statementPage,
  UNKNOWN,
} from './processor-answers.ts';
import type { ChargeOperation } from '../processor/protocol.ts';
import { cardAnswer } from '../processor/protocol.ts';

/** The port, and what only the sandbox can do. */
export interface HttpProcessor extends Processor {
  /** Creates a test card by name; an unknown name or no answer is a fault. */
  attachTestCard(workspace: number, name: string): Promise<CardToken>;
  readonly play: SandboxCards['play'];
  readonly happen: SandboxCards['happen'];
  readonly agree: SandboxCards['agree'];
  /** Closes the connections once running calls have ended. */
  close(): Promise<void>;
}

/** A page of the statement has a thousand rows. */
const STATEMENT_BYTES_MAX = 1_048_576;
/** The processor does not know the key, or the event is not possible. */
const CONFLICT = 409;

/** A processor over HTTP. Close it when done. */
export function httpProcessor(options: LineOptions): HttpProcessor {
  const line = openLine(options);
  const longLine = openLine({ ...options, connections: 1 }, STATEMENT_BYTES_MAX);
  const { tried } = line;

  async function ask(operation: ChargeOperation, order: ChargeOrder): Promise<ChargeOutcome> {
    const { workspace, key, token, amount, currency } = order;
    const path = `/v1/charges/${encodeURIComponent(key)}`;
    const looked = operation === 'look';
    const request = { token, amount: amount.toString(), currency };
    const reply = await (looked
      ? tried(workspace, path, null)
      : tried(workspace, `${path}/${operation}`, request));
    return reply === null ? UNKNOWN : chargeOutcome(reply, key, looked);
  }

  async function remit(order: TransferOrder, looked: boolean): Promise<TransferOutcome> {
    const { workspace, key, kind, target, amount, currency } = order;
    const path = `/v1/remittances/${encodeURIComponent(key)}`;
    const request = { kind, target, amount: amount.toString(), currency };
    const reply = await tried(workspace, path, looked ? null : request);
    return reply === null ? UNKNOWN : transferOutcome(reply, key, looked);
  }

  return {
    // The simulator has no page on which a buyer pays without a saved card.
    onceKinds: async () => [],
    payoutEntries: async () => ['bank', 'paypal'],
    authorize: (order) => ask('authorize', order),
    capture: (order) => ask('capture', order),
    reverse: (order) => ask('reverse', order),
    retrieve: (order) => ask('look', order),
    remit: (order) => remit(order, false),
    retrieveTransfer: (order) => remit(order, true),
    ...disputeCalls(line),
    async statement(workspace, cursor) {
      const after = BigInt(cursor ?? 0);
      const reply = await longLine.tried(workspace, `/v1/statement?after=${after}`, null);
      return reply === null ? null : statementPage(reply, after);
    },
    readNotice({ headers, body }) {
      const json = readJson(body);
      if (!json.ok) return null;
      const read = readSigned(SIGNING, options.keyOf, headers, json.value, Date.now());
      if (read === null) return null;
      const { notice_id: id, key, about } = read.body;
      return { workspace: read.workspace, id, key, about };
    },
    ...sandboxCalls(line),
    async close() {
      await Promise.all([line.close(), longLine.close()]);
    },
  };
}

/** The calls about answers to disputes. */
function disputeCalls({ tried }: JsonLine): Pick<Processor, 'answerDispute' | 'retrieveAnswer'> {
  const ask = async (
    { workspace, key }: Pick<AnswerOrder, 'workspace' | 'key'>,
    body: object | null,
  ): Promise<AnswerOutcome> => {
    const reply = await tried(workspace, `/v1/disputes/${encodeURIComponent(key)}`, body);
    return reply === null ? UNKNOWN : answerOutcome(reply, key, body === null);
  };
  return {
    answerDispute(order) {
      const { reference, charge, texts, files } = order;
      return ask(order, piecesWithFiles({ reference, charge, texts }, files));
    },
    retrieveAnswer: (order) => ask(order, null),
  };
}

/** What only a sandbox answers. */
function sandboxCalls({
  send,
  tried,
}: JsonLine): Pick<HttpProcessor, 'attachTestCard' | 'play' | 'happen' | 'agree'> {
  return {
    async attachTestCard(workspace, name) {
      const reply = await send(workspace, '/v1/cards', { test_card: name });
      const card = cardAnswer.safeParse(reply.body);
      if (reply.status !== 200 || !card.success) {
        throw new Error(`the processor gave no test card (status ${reply.status})`);
      }
      return { token: card.data.token, brand: card.data.brand, last4: card.data.last4 };
    },
    async play(workspace, scenario, token) {
      const body = { scenario, ...(token === null ? {} : { token }) };
      return (await tried(workspace, '/v1/script', body))?.status === 200;
    },
    async agree(workspace, terms) {
      return (await tried(workspace, '/v1/terms', terms))?.status === 200;
    },
    async happen(workspace, key, event) {
      const reply = await tried(workspace, '/v1/outside-events', { key, event });
      if (reply?.status === 200) return 'done';
      return reply?.status === CONFLICT ? 'refused' : null;
    },
  };
}

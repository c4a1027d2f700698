// The processor port over HTTP. Network trouble, and every answer that is not plainly understood or
// not plainly about the key, is `unknown`, never a failure and never a success. [M13] Nothing is
// retried here: the key makes a repetition safe, and the caller decides about it.
import { readJson } from '../../../core/json.ts';
import type { SandboxCards } from '../../ports/cards.ts';
import { openLine, type JsonLine, type LineOptions, type Reply } from './json-line.ts';
import { piecesWithFiles } from './file-pieces.ts';
import { SIGNING } from '../processor/notices.ts';
import { readSigned } from '../store/signing.ts';
import {
  cardAnswer,
  chargeAnswer,
  disputeAnswer,
  statementAnswer,
  transferAnswer,
  type ChargeOperation,
} from '../processor/protocol.ts';
import type { z } from 'zod';
import {
  DECLINE_CODES,
  type Absent,
  type AnswerOrder,
  type AnswerOutcome,
  type CardToken,
  type ChargeOrder,
  type ChargeOutcome,
  type DeclineCode,
  type Declined,
  type Processor,
  type StatementPage,
  type TransferOrder,
  type TransferOutcome,
  type Unknown,
} from '../../../providers/processor/port.ts';

const UNKNOWN: Unknown = { state: 'unknown' };

const BUSY: Unknown = { state: 'unknown', busy: true };
const CODES: ReadonlySet<string> = new Set(DECLINE_CODES);
const isCode = (code: string): code is DeclineCode => CODES.has(code);
/** Rows of a full page. */
const PAGE = 1_000;

/** An answer with money held, moved or coming. */
interface Money {
  readonly state: string;
  readonly key: string;
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
}

/** Answers about either kind of key. */
type Answered =
  | Money
  | { readonly state: 'accepted'; readonly key: string; readonly reference: string }
  | (Omit<Declined, 'code'> & { readonly key: string; readonly code: string })
  | (Absent & { readonly key: string });

/** A money answer `A` in the port's form. */
type Read<A> = A extends Money
  ? Omit<A, 'key' | 'amount'> & { readonly amount: bigint }
  : A extends { readonly state: 'accepted' }
    ? Omit<A, 'key'>
    : never;

function outcomeOf<A extends Answered>(
  schema: z.ZodType<A>,
  { status, body }: Reply,
  key: string,
  looked: boolean,
): Read<A> | Declined | Absent | Unknown {
  if (status === 429) return BUSY;
  const read = schema.safeParse(body);
  if (status !== 200 || !read.success || read.data.key !== key) return UNKNOWN;
  const answer: Answered = read.data;
  if ('amount' in answer) {
    const { key: _key, amount, ...rest } = answer;
    return { ...rest, amount: BigInt(amount) } as unknown as Read<A>;
  }
  if (answer.state === 'accepted') {
    return { state: answer.state, reference: answer.reference } as unknown as Read<A>;
  }
  // Only retrieving may report absent: an order that led to nothing is unexpected, not a fact.
  if (!('code' in answer)) return looked ? { state: 'absent' } : UNKNOWN;
  // A decline with an unknown reason is still a decline.
  const code = isCode(answer.code) ? answer.code : 'generic_error';
  return { state: 'declined', reference: answer.reference, code };
}

/** Reads an answer about a charge; `looked`: it was only retrieved. */
function chargeOutcome(reply: Reply, key: string, looked: boolean): ChargeOutcome {
  return outcomeOf(chargeAnswer, reply, key, looked);
}

/** Reads an answer about an outbound transfer. */
function transferOutcome(
  reply: Reply,
  key: string,
  looked: boolean,
): TransferOutcome {
  return outcomeOf(transferAnswer, reply, key, looked);
}

/** Reads an answer about the answer to a dispute. */
function answerOutcome(reply: Reply, key: string, looked: boolean): AnswerOutcome {
  return outcomeOf(disputeAnswer, reply, key, looked);
}

/**
 * Reads the page after a row, whose number is the cursor; null for anything else, and for rows that
 * do not ascend.
 */
function statementPage(reply: Reply, after: bigint): StatementPage | null {
  const read = statementAnswer.safeParse(reply.body);
  if (reply.status !== 200 || !read.success) return null;
  const numbers = [after, ...read.data.lines.map(({ line }) => BigInt(line))];
  if (numbers.some((number, at) => at > 0 && number <= (numbers[at - 1] ?? 0n))) return null;
  const lines = read.data.lines.map(({ line: row, amount, fee, ...rest }) => {
    return { ...rest, row, amount: BigInt(amount), fee: BigInt(fee) };
  });
  return { lines, cursor: String(numbers.at(-1)), more: lines.length >= PAGE };
}

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

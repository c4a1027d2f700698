// An adapter of the processor's port for that other shape: a command is accepted at once and known
// to be carried out only when the book says so, and nothing is known until then.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { answeredElsewhere } from './answered-elsewhere.ts';
import type {
  ChargeOrder,
  ChargeOutcome,
  DeclineCode,
  Processor,
  StatementLine,
  TransferOrder,
  TransferOutcome,
} from '../../../src/providers/processor/port.ts';
import { decimal, minor, type Command, type Order, type Row, type Sending } from './book.ts';

/** How the processor is asked; null: no answer. */
export interface DayLine {
  post(workspace: number, command: Command): Promise<{ readonly number: number } | null>;
  get<T>(workspace: number, path: string): Promise<T | null>;
}

/** What a notice's signature covers: the bytes as they were sent. */
export function macOf(secret: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

const UNKNOWN = { state: 'unknown' } as const;
const LOOKS = 200;
const LOOK_MS = 5;
const REASONS: Readonly<Record<string, DeclineCode>> = {
  '05': 'card_declined',
  '14': 'generic_error',
  '1A': 'authentication_required',
  '51': 'insufficient_funds',
  '61': 'processing_error',
};
const KINDS: Readonly<Record<Row['what'], StatementLine['kind']>> = {
  taken: 'capture',
  refund: 'refund',
  payout: 'payout',
  payout_back: 'payout_return',
  return: 'return',
};

interface Found<T> {
  readonly found: T | null;
  /** The newest command that was carried out. */
  readonly done: number;
}

export function dayProcessor(line: DayLine, url: string, secret: string): Processor {
  /** Gives a command and waits until it was carried out; null: nobody knows. */
  async function carriedOut<T>(workspace: number, command: Command, path: string) {
    const accepted = await line.post(workspace, command);
    if (accepted === null) return null;
    for (let look = 0; look < LOOKS; look += 1) {
      const seen = await line.get<Found<T>>(workspace, path);
      if (seen === null) return null;
      if (seen.done >= accepted.number) return seen.found;
      await new Promise((later) => setTimeout(later, LOOK_MS));
    }
    return null;
  }

  async function charge(verb: 'hold' | 'take' | 'drop', order: ChargeOrder) {
    const { key, token, amount, currency } = order;
    const command = { verb, key, token, kind: 'card', sum: decimal(amount), currency };
    const found = await carriedOut<Order>(order.workspace, command, `/orders/${key}`);
    if (found === null || !isOf(found, order)) return UNKNOWN;
    const barred = verb === 'hold' && found.barred;
    return barred ? declined(key, '14') : chargeOf(found, url);
  }

  return {
    onceKinds: async () => ['card'],
    payoutEntries: async () => [],
    authorize: (order) => charge('hold', order),
    capture: (order) => charge('take', order),
    reverse: (order) => charge('drop', order),
    async retrieve({ workspace, key }) {
      const seen = await line.get<Found<Order>>(workspace, `/orders/${key}`);
      if (seen === null) return UNKNOWN;
      return seen.found === null ? { state: 'absent' } : chargeOf(seen.found, url);
    },
    async remit({ workspace, key, kind, target: token, amount, currency }: TransferOrder) {
      const command = { verb: 'send', key, token, kind, sum: decimal(amount), currency } as const;
      const found = await carriedOut<Sending>(workspace, command, `/sendings/${key}`);
      return found === null ? UNKNOWN : transferOf(found);
    },
    async retrieveTransfer({ workspace, key }) {
      const seen = await line.get<Found<Sending>>(workspace, `/sendings/${key}`);
      if (seen === null) return UNKNOWN;
      return seen.found === null ? { state: 'absent' } : transferOf(seen.found);
    },
    ...answeredElsewhere,
    async statement(workspace, cursor) {
      const [day = 0, read = 0] = (cursor ?? '0/0').split('/').map(Number);
      type Day = { readonly rows: readonly Row[]; readonly ended: boolean };
      const page = await line.get<Day>(workspace, `/days/${day}`);
      if (page === null) return null;
      const next = page.ended ? `${day + 1}/0` : `${day}/${page.rows.length}`;
      return { lines: page.rows.slice(read).map(lineOf), cursor: next, more: page.ended };
    },
    readNotice: noticeBy(secret),
  };
}

function isOf(order: Order, { token, amount, currency }: ChargeOrder): boolean {
  return order.token === token && minor(order.sum) === amount && order.currency === currency;
}

function chargeOf(order: Order, url: string): ChargeOutcome {
  const { key: reference, currency, state, page } = order;
  const held = { reference, amount: minor(order.sum), currency };
  if (state === 'refused') return declined(reference, order.reason);
  if (state === 'asking') return { state: 'challenged', url: `${url}/buyer/${page}`, ...held };
  const STATES = { held: 'authorized', taking: 'pending', taken: 'captured', void: 'reversed' };
  return { state: STATES[state] as 'captured', ...held };
}

function transferOf({ key: reference, state, reason, sum, currency }: Sending): TransferOutcome {
  if (state === 'refused') return declined(reference, reason);
  const to = state === 'back' ? 'returned' : 'paid';
  return { state: to, reference, amount: minor(sum), currency };
}

function declined(reference: string, reason: string | null) {
  return { state: 'declined', reference, code: REASONS[reason ?? ''] ?? 'generic_error' } as const;
}

function lineOf({ n, what, key, sum, currency }: Row): StatementLine {
  const money = { amount: minor(sum), currency };
  const plain = { part: 1, reason: null, due_by: null, fee: 0n, available_at: null };
  return { row: `row-${n}`, key, reference: key, kind: KINDS[what], ...money, ...plain };
}

/** Reads a notice that bears the secret's mark. */
function noticeBy(secret: string): Processor['readNotice'] {
  return ({ headers, body }, workspace) => {
    const said = Buffer.from(String(headers['x-day-mac'] ?? ''));
    const right = Buffer.from(macOf(secret, body));
    if (said.length !== right.length || !timingSafeEqual(said, right)) return null;
    const { seq, key } = JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, string>;
    if (workspace === null || seq === undefined || key === undefined) return null;
    return { workspace, id: seq, key, about: 'charge' };
  };
}

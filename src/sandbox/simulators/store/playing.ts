// Plays one simulator call as scripted: what the caller gets to see of it, and when.
import type { Answer } from '../../../core/operation.ts';
import { exchangeOf, leavesDoubt, SILENCE_MS, type Exchange } from '../processor/exchanges.ts';
import type { Book } from './access.ts';
import { countCall, type Call, type Turn } from './calls.ts';
import type { BookServices } from './endpoint.ts';
import { letWait } from './waiting.ts';

/** The call and its effect. */
export interface Played extends Call {
  /** How the call goes without a script. */
  usual(turn: Turn): Exchange;
  /** Carries out the effect and reads the record. */
  effect(exchange: Exchange): Promise<object>;
  /** A false decline of what the effect made; for simulators that can be scripted to lie. */
  denial?(seen: object | null): object;
}

/** The outcome is hidden only the first time, so that a repetition learns the truth. */
export function hiddenOnce(exchange: Exchange, { times }: Turn): Exchange {
  return times > 1 && leavesDoubt(exchange) ? exchangeOf('honest') : exchange;
}

/** Counts a call and plays it to its end. */
export async function play(
  { db, delay }: Pick<BookServices, 'db' | 'delay'>,
  book: Book,
  call: Played,
): Promise<Answer> {
  const { workspace, key } = call;
  const turn = await countCall(db, book, call);
  const exchange = turn.scripted === null ? call.usual(turn) : exchangeOf(turn.scripted);
  const wait = (ms: number, effect: boolean) => letWait({ db, workspace, delay }, key, ms, effect);
  const changes = exchange.effect !== 'none';
  const waited = await wait(exchange.waitMs, changes);
  const seen = changes ? await call.effect(exchange) : null;
  await waited();
  await (await wait(exchange.holdMs ?? 0, false))();
  switch (exchange.reply) {
    case 'truth':
      return { status: 200, bare: seen };
    case 'denial':
      return { status: 200, bare: call.denial?.(seen) ?? seen };
    case 'garbled':
      return { status: 200, bare: { state: 'perhaps', key } };
    case 'fault':
      return { status: 500, bare: { error: 'fault' } };
    case 'busy':
      return { status: 429, bare: { error: 'busy' }, headers: { 'retry-after': '1' } };
    case 'silence':
      await (await wait(SILENCE_MS, false))();
      return { status: 504, bare: { error: 'silence' } };
  }
}

// Answers for what the caller of a foreign system gets to see of one exchange, and when. Knows
// nothing of the books in which the effect happens.
import type { Answer } from '../../kernel/operation.ts';
import type { Exchange } from '../sandbox-processor/exchanges.ts';
import { SILENCE_MS } from '../sandbox-processor/exchanges.ts';
import { letWait, type Waiting } from './waiting.ts';

/** What is asked, and what comes of it. */
export interface Played {
  readonly key: string;
  readonly exchange: Exchange;
  /** Does what the exchange does, and reads the book. */
  effect(): Promise<object>;
  /** A no that is not true, about what the effect made; for systems that can be scripted to lie. */
  denial?(seen: object | null): object;
}

/** Plays an exchange to its end. */
export async function play(
  waiting: Waiting,
  { key, exchange, effect, denial }: Played,
): Promise<Answer> {
  const changes = exchange.effect !== 'none';
  const waited = await letWait(waiting, key, exchange.waitMs, changes);
  const seen = changes ? await effect() : null;
  await waited();
  await (await letWait(waiting, key, exchange.holdMs ?? 0, false))();
  switch (exchange.reply) {
    case 'truth':
      return { status: 200, bare: seen };
    case 'denial':
      return { status: 200, bare: denial?.(seen) ?? seen };
    case 'garbled':
      return { status: 200, bare: { state: 'perhaps', key } };
    case 'fault':
      return { status: 500, bare: { error: 'fault' } };
    case 'busy':
      return { status: 429, bare: { error: 'busy' }, headers: { 'retry-after': '1' } };
    case 'silence':
      await (await letWait(waiting, key, SILENCE_MS, false))();
      return { status: 504, bare: { error: 'silence' } };
  }
}

// Plays one simulator call as scripted: what the caller gets to see of it, and when.
import type { Answer } from '../../../core/operation.ts';
import type { Exchange } from '../processor/exchanges.ts';
import { SILENCE_MS } from '../processor/exchanges.ts';
import { letWait, type Waiting } from './waiting.ts';

/** The call and its effect. */
export interface Played {
  readonly key: string;
  readonly exchange: Exchange;
  /** Carries out the effect and reads the record. */
  effect(): Promise<object>;
  /** A false decline of what the effect made; for simulators that can be scripted to lie. */
  denial?(seen: object | null): object;
}

/** Plays a call to its end. */
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

// The form in which all four counterparties write their scenarios, before URLs are known.
import type { CounterpartyScenario } from '../../ports/counterparties.ts';
import { storyOf } from './exchanges.ts';
import type { Call } from './how.ts';

/** One call, as a person reads it. */
export type Step = CounterpartyScenario['steps'][number];

/** A scenario without what depends on the installation. */
export type Row = Omit<CounterpartyScenario, 'how' | 'page'> & { readonly how: Call };

/** What comes after all that was told. */
export const CALM: Step = { asked: 'then', answered: 'Every further call succeeds at once.' };

/** Scripted calls, or those that a card causes, as steps; then normal ones. */
export function stepsOf(
  exchanges: readonly { readonly operation: string; exchange: string; times?: number }[],
): readonly Step[] {
  const told = exchanges.map(({ operation, exchange, times = 1 }) => ({
    asked: times === 1 ? operation : `${operation}, ${times} times`,
    answered: storyOf(exchange),
  }));
  return [...told, CALM];
}

/** A call of a sandbox operation. */
export function sandboxCall(operation: string, path: string, body: Call['body']): Call {
  return { host: 'invoicing', operation, path: `/sandbox/${path}`, body };
}

// A scenario before it has an address: what all four counterparties write theirs as, and the ways
// that they have in common. Refuses to know which scenarios there are.
import type { CounterpartyScenario } from '../../ports/sandbox-counterparties.ts';
import { storyOf } from './exchanges.ts';
import type { Call } from './how.ts';

/** What a person reads as one exchange. */
export type Step = CounterpartyScenario['steps'][number];

/** A scenario without what follows from where the sandbox runs. */
export type Row = Omit<CounterpartyScenario, 'how' | 'page'> & { readonly how: Call };

/** What comes after all that was told. */
export const CALM: Step = { asked: 'then', answered: 'Every answer comes at once and is true.' };

/** Exchanges that were scripted or that a card causes, as steps; then calm. */
export function stepsOf(
  exchanges: readonly { readonly operation: string; exchange: string; times?: number }[],
): readonly Step[] {
  const told = exchanges.map(({ operation, exchange, times = 1 }) => ({
    asked: times === 1 ? operation : `${operation}, ${times} times`,
    answered: storyOf(exchange),
  }));
  return [...told, CALM];
}

/** A call of the sandbox's own. */
export function sandboxCall(operation: string, path: string, body: Call['body']): Call {
  return { host: 'invoicing', operation, path: `/sandbox/${path}`, body };
}

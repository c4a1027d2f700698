// Keeps the place of this flow until its screens land: says so and can be cancelled.
import type { FlowContext } from '../flow.ts';

/** Not drawn yet. */
export function KybFlow({ context }: { context: FlowContext }) {
  context.ready();
  return (
    <button data-test="cancel" onClick={() => context.finish({ state: 'cancel' })}>
      Not available yet
    </button>
  );
}

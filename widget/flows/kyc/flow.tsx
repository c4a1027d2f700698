// The identity flow on its own. [public-facts 4.4] [G-76]
import type { FlowContext } from '../flow.ts';
import { Identity } from './identity.tsx';

/** Ends with the identity state; Continue after an acceptance sets its trigger. */
export function KycFlow({ context }: { readonly context: FlowContext }) {
  return (
    <Identity
      context={context}
      level={context.config.verificationLevel ?? 'full'}
      onAccepted={(result) =>
        context.finish({ state: 'complete', result, trigger: 'continue-button' })
      }
      onLeft={(result) =>
        context.finish(result === null ? { state: 'cancel' } : { state: 'complete', result })
      }
    />
  );
}

// The terms flow: the shell has asked for the agreement already, so nothing is left to show.
import { useEffect } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';

/** Ends at once: what was to be signed is signed. [public-facts 4.2] */
export function TosFlow({ context }: { readonly context: FlowContext }) {
  useEffect(() => {
    context.ready();
    context.finish({ state: 'complete' });
  }, []);
  return null;
}

// Loading for screens, and the two calls that every flow with payment methods makes. A load that
// fails ends in the full-screen error; what a person did there and then is told beside it instead.
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import type { FlowContext } from '../flow.ts';
import type { PaymentMethod } from './choice.ts';

/** The sentence of a failure, for a notice. */
export function sentenceOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong. Try again.';
}

/** Shows the full-screen error for what a load threw. */
export function crashWith(context: FlowContext, error: unknown): void {
  const code = error instanceof ApiError ? (error.codes[0] ?? 'SERVER_ERROR') : 'CLIENT_ERROR';
  context.crash(code, sentenceOf(error), error);
}

/** What a load gave, and how to change it; null while it loads. Loads once. */
export function useLoaded<T>(context: FlowContext, load: () => Promise<T>) {
  const [loaded, setLoaded] = useState<T | null>(null);
  useEffect(() => {
    load().then(
      (value) => {
        setLoaded(value);
        context.ready();
      },
      (error: unknown) => crashWith(context, error),
    );
  }, []);
  return [loaded, setLoaded] as const;
}

/** All payment methods of the account, newest state. */
export function methodsOf({ api, session }: FlowContext): Promise<readonly PaymentMethod[]> {
  return api.get(`/payments/v1/${session.account_id}/payment_methods`);
}

/** Takes a finished entry into the account; the same entry again gives the same method. */
export function attachEntry({ api }: FlowContext, entry: string): Promise<PaymentMethod> {
  return api.post('/payments/v1/payment_method', { entry_id: entry }, { key: `attach-${entry}` });
}

/** Methods, after the browser login that the page may have come back from was taken in. */
export async function methodsAfterReturn(context: FlowContext) {
  const added =
    context.returnedEntry === ''
      ? null
      : await attachEntry(context, context.returnedEntry).catch(() => null);
  return { methods: await methodsOf(context), added };
}

// Loading for screens, and the two calls that every flow with payment methods makes. A failed load
// ends in the full-screen error; a failed action is reported on its screen instead.
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import type { FlowContext } from '../flow.ts';
import type { PaymentMethod } from './choice.ts';
import { codeText, t } from '../texts.ts';

/** The sentence of a failure, for a notice. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t('page.odd');
  return codeText(error.codes) ?? t('page.refused', { english: error.message });
}

/** Shows the full-screen error of a failed load. */
export function crashWith(context: FlowContext, error: unknown): void {
  const code = error instanceof ApiError ? (error.codes[0] ?? 'SERVER_ERROR') : 'CLIENT_ERROR';
  context.crash(code, sentenceOf(error), error);
}

/** The loaded value and its setter; null while loading. Loads once. */
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

/** All payment methods of the account, in their newest state. */
export function methodsOf({ api, session }: FlowContext): Promise<readonly PaymentMethod[]> {
  return api.get(`/payments/v1/${session.account_id}/payment_methods`);
}

/**
 * Attaches a finished entry to the account; the same entry again gives the same method. `keep`
 * false: for this sale alone.
 */
export function attachEntry(
  { api }: FlowContext,
  entry: string,
  keep = true,
): Promise<PaymentMethod> {
  const body = { entry_id: entry, ...(!keep && { keep }) };
  return api.post('/payments/v1/payment_method', body, { key: `attach-${entry}-${keep}` });
}

/** The methods, after attaching the entry with which a browser login has returned, if any. */
export async function methodsAfterReturn(context: FlowContext) {
  const added =
    context.returnedEntry === ''
      ? null
      : await attachEntry(context, context.returnedEntry).catch(() => null);
  return { methods: await methodsOf(context), added };
}

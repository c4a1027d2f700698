// A payment method's name in the language of the page.
import { methodNameBy } from '../../../texts/method-name.ts';
import { t } from '../texts.ts';

/** `Visa ending in 1111`; a name that somebody gave stays. */
export function methodName(name: string): string {
  return methodNameBy(name, t);
}

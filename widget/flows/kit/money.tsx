// An amount on a screen.
import { groupDigits } from './money-text.ts';

/** An amount that reads left to right within any text; its code may be drawn smaller. */
export function Money({ value }: { readonly value: string }) {
  const [code, ...amount] = groupDigits(value).split(' ');
  return (
    <bdi class="money" dir="ltr">
      <span class="money-code">{code}</span> {amount.join(' ')}
    </bdi>
  );
}

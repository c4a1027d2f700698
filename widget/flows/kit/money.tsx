// An amount on a screen.
import { partsOfAmount } from './money-text.ts';

/** An amount that keeps its direction within any text; its code may be drawn smaller. */
export function Money({ value }: { readonly value: string }) {
  return (
    <bdi class="money">
      {partsOfAmount(value).map(({ code, text }) =>
        code ? <span class="money-code">{text}</span> : text,
      )}
    </bdi>
  );
}

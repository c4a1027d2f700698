// Statements as templates: a value stands where it is used, and is sent as a parameter, so that no
// place and number have to agree. Those that are put together from texts are objects.
import type { Statement } from './statement.ts';

/** SQL that belongs to a statement as it is, such as a list of columns. */
class Part {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Our own SQL as part of a statement; never anything that somebody sent. */
export function raw(text: string | number): Part {
  return new Part(String(text));
}

/** A statement. `$1` in its text is its first value once more. */
export function sql(texts: TemplateStringsArray, ...given: readonly unknown[]): Statement {
  const values: unknown[] = [];
  const places = given.map((one) => {
    return one instanceof Part ? one.text : `$${values.push(one)}`;
  });
  return { text: String.raw({ raw: texts }, ...places), values };
}

/** As `sql`, and prepared once per connection under the name. */
export function prepared(name: string): typeof sql {
  return (texts, ...given) => ({ name, ...sql(texts, ...given) });
}

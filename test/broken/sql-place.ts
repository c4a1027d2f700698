// Names the places of the database by the SQL that was seen: what a packet writes, and which
// transaction a commit ends.

const WRITE = /(?<!\b(?:for|do|no key) )\b(insert into|update|delete from)\s+([a-z_]+)/g;

/** What one statement does: the tables that it writes, or the word of a transaction's edge. */
export function doneBy(text: string): string {
  const plain = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (plain.includes('assert_counts(')) return 'engine write';
  const edge = /^(begin|commit|rollback)\b/.exec(plain);
  if (edge !== null) return edge[1] as string;
  const writes = [...plain.matchAll(WRITE)].map(([, verb, table]) => {
    return `${(verb as string).split(' ')[0]} ${table}`;
  });
  return [...new Set(writes)].slice(0, 3).join(', ');
}

/** The place of each packet of one connection, which knows the transaction that it is in. */
export class Places {
  readonly #pool: string;
  #within: string | null = null;

  constructor(pool: string) {
    this.#pool = pool;
  }

  /** Names the place of a packet; null where nothing is written, begun or committed. */
  next(texts: readonly string[]): string | null {
    const done = texts.map(doneBy).filter((one) => one !== '');
    const writes = done.filter((one) => !/^(begin|commit|rollback)$/.test(one));
    if (done.includes('begin')) this.#within = '';
    this.#within = this.#within === '' ? (writes[0] ?? '') : this.#within;
    const whole = this.#within || writes[0] || '';
    if (done.includes('rollback')) return this.#left(`${this.#pool}: rollback`);
    if (done.includes('commit')) return this.#left(`${this.#pool}: commit of ${whole || 'reads'}`);
    if (writes.length > 0) return `${this.#pool}: ${writes.join(', ')}`;
    return done.includes('begin') ? `${this.#pool}: begin` : null;
  }

  #left(place: string): string {
    this.#within = null;
    return place;
  }
}

// Names for what is another at each run: ids, tokens, hashes and addresses get a number at their
// first appearance, so that the same thing has the same name wherever it comes again. Everything
// else stays as it was, byte for byte.

/** What a text of each shape is called. The first shape that fits wins. */
const SHAPES: readonly (readonly [kind: string, shape: RegExp])[] = [
  ['host', /https?:\/\/(?:127\.0\.0\.1|localhost):\d+|(?:127\.0\.0\.1|localhost):\d+/],
  ['token', /eyJ[\w-]+\.[\w-]+\.[\w-]+/],
  ['wire', /\b[a-z]{2,6}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/],
  ['id', /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/],
  ['asked', /(?<="(?:first|last)_at":")[\d:TZ.-]+/],
  ['time', /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/],
  ['utc', /\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}/],
  ['second', /\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/],
  ['day', /(?<="value_date":")\d{4}-\d\d-\d\d/],
  ['millisecond', /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/],
  ['epoch', /(?<="(?:(?:exp|iat|nbf)":|webhook-timestamp":"))\d{10}/],
  ['sequence', /(?<="sequence":)\d+/],
  ['times', /(?<="times":)\d+(?=,"last_at")|(?<="look(?:_remittance)?","times":)\d+/],
  // A look at a due row may or may not have been written when the snapshot is taken.
  ['rows', /(?<="objects":\d+,"rows":)\d+/],
  ['age', /(?<="age_seconds":)\d+/],
  ['offset', /(?<="offset_seconds":)\d+\.\d+/],
  ['card', /\bcard_[\w-]{24}/],
  ['page', /(?<=\/entry\/)[\w-]{32}/],
  ['ms', /(?<="took_ms":)\d+|\b\d+(?= ms\b)/],
  ['left', /(?<=Max-Age=)[1-9]\d*/],
  ['cookie', /\bholdfast_[0-9a-f]{16}\b/],
  ['secret', /\bwh(?:sec|sk|pk)_[A-Za-z0-9+/]+=*/],
  ['signature', /\bv1,[A-Za-z0-9+/]{43}=/],
  ['code', /(?<="code":")\d{6}(?=")/],
  ['receipt', /(?<=\/receipt\/)[\w-]{86}/],
  ['key', /(?<="(?:x|y|kid)":")[\w-]{43}(?=")/],
  ['nonce', /(?<![\w-])[\w-]{43}(?![\w-])/],
  ['reference', /\bRF\d\d(?: ?\d{4}){4}\b/],
  ['hash', /(?<![0-9a-f])[0-9a-f]{32,}(?![0-9a-f])/],
];

/** Of these it is chance whether two are the same. */
const ROUGH: ReadonlySet<string> = new Set([
  ...['second', 'day', 'millisecond', 'epoch', 'left', 'ms', 'offset', 'asked', 'age', 'rows'],
  // Two tries within one second are signed alike.
  'signature',
  // Events of one transaction about two things come in any order.
  'sequence',
  // The platform may have asked once more before it had heard.
  'times',
]);

/** In a book: the platform may have asked once more, or not, before a notice told it. */
const LOOK = /\{"times":\d+,[^{}]*,"operation":"look(?:_remittance)?"\}/;
const ASKED_AGAIN = new RegExp(`,${LOOK.source}|${LOOK.source},?`, 'g');

const ANY = new RegExp(SHAPES.map(([kind, { source }]) => `(?<${kind}>${source})`).join('|'), 'g');

/** A number for each text of a kind, in the order of their first appearance. */
class Numbers {
  readonly #given = new Map<string, number>();
  readonly #named = new Map<string, string>();
  #part = '';

  /** Counts anew, so that one more thing here gives other numbers to nothing there. */
  begin(part: string): void {
    this.#part = `${part}.`;
    this.#given.clear();
  }

  known(kind: string, text: string): string | null {
    return this.#named.get(`${kind} ${text}`) ?? null;
  }

  nameOf(kind: string, text: string): string {
    const known = this.known(kind, text);
    if (known !== null) return known;
    const number = (this.#given.get(kind) ?? 0) + 1;
    this.#given.set(kind, number);
    const name = `<${kind}-${this.#part}${number}>`;
    this.#named.set(`${kind} ${text}`, name);
    return name;
  }
}

/** The names of one walk. */
export class Names {
  readonly #numbers = new Numbers();
  readonly #fixed = new Map<string, string>();

  /** Gives a text, such as an address, a name of its own. */
  fix(text: string, name: string): void {
    this.#fixed.set(text, `<${name}>`);
  }

  /** A chapter begins, known by its number. */
  begin(part: string): void {
    this.#numbers.begin(part);
  }

  /** The names of earlier chapters in a text, and nothing for what is new. */
  known(text: string): string {
    return text.replace(ANY, (found, ...rest) => {
      const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
      const [kind = ''] = Object.entries(groups).find(([, text]) => text !== undefined) ?? [];
      const named = kind === 'wire' ? found.slice(0, found.indexOf('_')) : kind;
      return this.#fixed.get(found) ?? this.#numbers.known(named, found) ?? '';
    });
  }

  /** The text with names in it. */
  in(text: string): string {
    // Moments are compared within one object only: two that nothing binds may coincide by chance.
    const objects = [new Numbers()];
    const either = new RegExp(`[{}]|${ANY.source}`, 'g');
    return text.replace(ASKED_AGAIN, '').replace(either, (found, ...rest) => {
      if (found === '{') objects.push(new Numbers());
      if (found === '}' && objects.length > 1) objects.pop();
      if (found === '{' || found === '}') return found;
      const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
      const [kind = ''] = Object.entries(groups).find(([, text]) => text !== undefined) ?? [];
      if (kind === 'time' || kind === 'utc') return (objects.at(-1) as Numbers).nameOf(kind, found);
      if (ROUGH.has(kind)) return `<${kind}>`;
      const named = kind === 'wire' ? found.slice(0, found.indexOf('_')) : kind;
      return this.#fixed.get(found) ?? this.#numbers.nameOf(named, found);
    });
  }
}

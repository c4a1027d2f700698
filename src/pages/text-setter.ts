// Sets text that mixes scripts: each letter in the first font that has it, lines broken at blanks,
// and words that are written from right to left in the order in which they are seen (UAX 9).
import { createRequire } from 'node:module';
import type { Bidi } from 'bidi-js';
import { openSync, type Font } from 'fontkit';

/** A letter is in none of the fonts. */
export class NotWritable extends Error {}

/** Where a text goes, in points; it grows down. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly color: string;
  /** Each line ends at the right edge. */
  readonly atEnd?: boolean;
}

/** Letters in a row with one font and one direction; blanks stand apart. */
interface Piece {
  readonly text: string;
  readonly font: string;
  readonly level: number;
}

const LEADING = 1.4;
/** Marks that turn what is beside them and show nothing: `Intl` writes them into Arabic amounts. */
const MARKS = /[\u200e\u200f\u061c]/u;
/** The package is CommonJS, and its types are not. */
const order = (createRequire(import.meta.url)('bidi-js') as () => Bidi)();

export class TextSetter {
  readonly #paper: PDFKit.PDFDocument;
  readonly #paths: readonly string[];
  readonly #fonts = new Map<string, Font>();

  /** `paths`: font files, in the order in which a letter is looked for. */
  constructor(paper: PDFKit.PDFDocument, paths: readonly string[]) {
    this.#paper = paper;
    this.#paths = paths;
  }

  /** Writes a text into a box; gives where the next one may begin. Throws `NotWritable`. */
  set(text: string, box: Box): number {
    const { x, width, size, color, atEnd = false } = box;
    let { y } = box;
    for (const line of this.#lines(text.replace(/\s+/gu, ' ').trim(), box)) {
      const pieces = this.#pieces(line);
      const long = pieces.reduce((sum, piece) => sum + this.#widthOf(piece, size), 0);
      let at = atEnd ? x + width - long : x;
      for (const piece of seen(pieces)) {
        const paper = this.#paper.font(piece.font).fontSize(size).fillColor(color);
        // Fonts differ in height: all stand on one line.
        paper.text(piece.text, at, y + size, { lineBreak: false, baseline: 'alphabetic' });
        at += this.#widthOf(piece, size);
      }
      y += size * LEADING;
    }
    return y;
  }

  /** Lines that fit; a word that does not is broken. Each word is measured once: that is slow. */
  #lines(text: string, { width, size }: Box): string[] {
    const long = (word: string): number =>
      this.#pieces(word).reduce((sum, piece) => sum + this.#widthOf(piece, size), 0);
    const blank = long(' ');
    const lines: string[] = [];
    let [line, used] = ['', 0];
    for (const word of text.split(' ')) {
      let [rest, more] = [word, long(word)];
      if (line !== '' && used + blank + more <= width) {
        line += ` ${word}`;
        used += blank + more;
        continue;
      }
      if (line !== '') lines.push(line);
      while (more > width) {
        const letters = [...rest];
        const begins = longest(letters.length, (n) => long(letters.slice(0, n).join('')) <= width);
        lines.push(letters.slice(0, begins).join(''));
        rest = letters.slice(begins).join('');
        more = long(rest);
      }
      [line, used] = [rest, more];
    }
    return [...lines, line];
  }

  #widthOf({ text, font }: Piece, size: number): number {
    return this.#paper.font(font).fontSize(size).widthOfString(text);
  }

  #pieces(text: string): Piece[] {
    const { levels } = order.getEmbeddingLevels(text);
    const pieces: Piece[] = [];
    let at = 0;
    for (const letter of text) {
      const level = levels[at] ?? 0;
      at += letter.length;
      if (MARKS.test(letter)) continue;
      const shown = level % 2 === 1 ? (order.getMirroredCharacter(letter) ?? letter) : letter;
      const last = pieces.at(-1);
      const font = this.#fontOf(shown, last?.font);
      const joins = last?.font === font && last.level === level && letter !== ' ';
      if (!joins || last === undefined || last.text === ' ') {
        pieces.push({ text: shown, font, level });
      } else pieces[pieces.length - 1] = { ...last, text: last.text + shown };
    }
    return pieces;
  }

  /** The font of the letter before where that has it: marks stay with what they mark. */
  #fontOf(letter: string, before: string | undefined): string {
    const point = letter.codePointAt(0) ?? 0;
    const paths = before === undefined ? this.#paths : [before, ...this.#paths];
    const path = paths.find((one) => this.#font(one).hasGlyphForCodePoint(point));
    if (path === undefined) throw new NotWritable('a letter is in none of the fonts');
    return path;
  }

  #font(path: string): Font {
    const known = this.#fonts.get(path);
    if (known !== undefined) return known;
    const opened = openSync(path);
    if (!('hasGlyphForCodePoint' in opened)) throw new Error('a font file is a collection');
    this.#fonts.set(path, opened);
    return opened;
  }
}

/** The most letters of `all` that fit; one at least, so that a line ends. */
function longest(all: number, fits: (n: number) => boolean): number {
  let [some, many] = [1, all];
  while (many - some > 1) {
    const n = (some + many) >> 1;
    if (fits(n)) some = n;
    else many = n;
  }
  return some;
}

/** Rule L2: from the highest level down to one, turns around each run of pieces at or above it. */
function seen(pieces: readonly Piece[]): Piece[] {
  const turned = [...pieces];
  const highest = Math.max(0, ...pieces.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < turned.length; start += 1) {
      let end = start;
      while ((turned[end]?.level ?? 0) >= level) end += 1;
      if (end > start) turned.splice(start, end - start, ...turned.slice(start, end).reverse());
      start = Math.max(start, end);
    }
  }
  return turned;
}

// The parts of a PDF as far as they are looked at: names, and streams with their dictionaries.
// Refuses to know which of them matter.
import { damaged } from './unfit.ts';

/** What PDF counts as white space. */
export const PDF_SPACE = '[\\0\\t\\n\\f\\r ]';
const NAME = /\/([^\0\t\n\f\r ()<>[\]{}/%]+)/g;

/** One stream: the names in its dictionary, and where its bytes are. */
export interface PdfStream {
  readonly names: ReadonlySet<string>;
  readonly start: number;
  readonly end: number;
}

/** One name: without escapes, and where the text goes on. */
export interface PdfName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Every name of a text, wherever it stands. */
export function* namesIn(text: string): Generator<PdfName> {
  for (const found of text.matchAll(NAME)) {
    const name = unescaped(found[1] as string);
    yield { name, start: found.index, end: found.index + found[0].length };
  }
}

/** `#4A` is the letter J. */
function unescaped(name: string): string {
  if (!name.includes('#')) return name;
  return name.replaceAll(/#([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Streams in order, each from behind its keyword to `endstream`. */
export function streamsOf(text: string): PdfStream[] {
  const streams: PdfStream[] = [];
  const keyword = new RegExp(`>>${PDF_SPACE}{0,64}stream(?:\\r\\n|\\n|\\r)`, 'g');
  for (let found = keyword.exec(text); found !== null; found = keyword.exec(text)) {
    const start = found.index + found[0].length;
    const end = text.indexOf('endstream', start);
    if (end < 0) throw damaged();
    const before = text.slice(streams.at(-1)?.end ?? 0, found.index);
    const dictionary = before.slice(before.lastIndexOf('obj') + 3);
    streams.push({ names: new Set([...namesIn(dictionary)].map((one) => one.name)), start, end });
    keyword.lastIndex = end;
  }
  return streams;
}

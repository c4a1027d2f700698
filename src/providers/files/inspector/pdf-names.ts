// Finds the parts of a PDF that are inspected: relevant names, streams, and objects by number. All
// in linear time; a file with more parts than documents have is refused.
import { damaged } from './rejected-file.ts';

/** PDF's white space. */
export const PDF_SPACE = '[\\0\\t\\n\\f\\r ]';

/** Names that act or carry files; long enough not to occur in compressed bytes by chance. */
export const ACTIVE: ReadonlySet<string> = new Set([
  'JavaScript',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'RichMedia',
  'Rendition',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'GoToR',
  'XFA',
]);
/** Checked only where objects are: short names occur anywhere by chance, and alone do nothing. */
export const ACTIVE_SHORT: ReadonlySet<string> = new Set(['JS', 'AA']);

const OTHERS = 'Encrypt OpenAction URI Info ObjStm First N Filter Predictor Metadata XML';
const WORDS = [...ACTIVE, ...ACTIVE_SHORT, ...OTHERS.split(' ')].join('|');
const REGULAR = '[^\\0\\t\\n\\f\\r ()<>[\\]{}/%]';
/** A name of the list, any that ends like a filter, and any with an escape. */
const PLAIN = `(?:${WORDS}|[A-Za-z0-9]{1,12}Decode|Crypt|Fl)(?!${REGULAR})`;
const NAME = `/(${PLAIN}|${REGULAR}*#${REGULAR}*)`;

const NAMES_MAX = 300_000;
const STREAMS_MAX = 100_000;

/** One stream: the names in its dictionary, and where its bytes are. */
export interface PdfStream {
  readonly names: ReadonlySet<string>;
  readonly start: number;
  readonly end: number;
}

/** One name, unescaped, and its offset. */
export interface PdfName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Every relevant or escaped name, wherever it stands. */
export function* namesIn(text: string): Generator<PdfName> {
  let count = 0;
  for (const found of text.matchAll(new RegExp(NAME, 'g'))) {
    if ((count += 1) > NAMES_MAX) throw damaged();
    const name = unescaped(found[1] as string);
    yield { name, start: found.index, end: found.index + found[0].length };
  }
}

/** `#4A` is the letter J. */
function unescaped(name: string): string {
  return name.replaceAll(/#([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Streams in order, each from after its keyword to `endstream`. */
export function streamsOf(text: string): PdfStream[] {
  const streams: PdfStream[] = [];
  const keyword = new RegExp(`>>${PDF_SPACE}{0,64}stream(?:\\r\\n|\\n|\\r)`, 'g');
  for (let found = keyword.exec(text); found !== null; found = keyword.exec(text)) {
    const start = found.index + found[0].length;
    const end = text.indexOf('endstream', start);
    if (end < 0 || streams.length === STREAMS_MAX) throw damaged();
    const before = text.slice(streams.at(-1)?.end ?? 0, found.index);
    const dictionary = before.slice(before.lastIndexOf('obj') + 3);
    streams.push({ names: new Set([...namesIn(dictionary)].map((one) => one.name)), start, end });
    keyword.lastIndex = end;
  }
  return streams;
}

const OBJECT = new RegExp(`(?<!\\d)(\\d{1,10})${PDF_SPACE}{1,16}(\\d{1,5})${PDF_SPACE}{1,16}$`);
const OBJECT_HEAD_MAX = 48;
const OBJECTS_MAX = 300_000;
/** Objects referenced one by one are small; only this much of each is read. */
const REACH = 65_536;
const REACHES_MAX = 100;

/** Start and end of all objects with these ids, such as `12 0`. */
export function objectsOf(text: string, ids: ReadonlySet<string>): [number, number][] {
  const bodies: [number, number][] = [];
  let count = 0;
  for (let at = text.indexOf('obj'); at >= 0; at = text.indexOf('obj', at + 3)) {
    if ((count += 1) > OBJECTS_MAX || bodies.length > REACHES_MAX) throw damaged();
    const head = OBJECT.exec(text.slice(Math.max(0, at - OBJECT_HEAD_MAX), at));
    if (head === null || !ids.has(`${head[1]} ${head[2]}`)) continue;
    const start = at + 3;
    const length = text.slice(start, start + REACH).indexOf('endobj');
    bodies.push([start, start + (length < 0 ? REACH : length)]);
  }
  return bodies;
}

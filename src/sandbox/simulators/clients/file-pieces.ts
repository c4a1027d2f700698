// A body with files, encoded while it is sent, so that memory holds no second copy of them.
import { JsonPieces } from './json-line.ts';

/** Bytes encoded at a time: a multiple of three, so that the pieces join. */
const SLICE = 98_304;

/** A file with what else is said of it. */
interface SentFile {
  readonly bytes: Buffer;
}

/** The JSON of `head` with `files`, each with its fields and its base64 as `content`. */
export function piecesWithFiles(head: object, files: readonly SentFile[]): JsonPieces {
  const opening = `${JSON.stringify(head).slice(0, -1)},"files":[`;
  const opened = files.map(({ bytes: _bytes, ...said }, at) => {
    const fields = JSON.stringify(said).slice(0, -1);
    return `${at === 0 ? '' : ','}${fields},"content":"`;
  });
  const encoded = files.map(({ bytes }) => Math.ceil(bytes.length / 3) * 4 + '"}'.length);
  const texts = [opening, ...opened, ']}'].map((text) => Buffer.byteLength(text));
  const length = [...texts, ...encoded].reduce((sum, one) => sum + one, 0);
  return new JsonPieces(length, piecesOf(opening, opened, files));
}

function* piecesOf(
  opening: string,
  opened: readonly string[],
  files: readonly SentFile[],
): Iterable<string> {
  yield opening;
  for (const [at, { bytes }] of files.entries()) {
    yield opened[at] ?? '';
    for (let from = 0; from < bytes.length; from += SLICE) {
      yield bytes.subarray(from, from + SLICE).toString('base64');
    }
    yield '"}';
  }
  yield ']}';
}

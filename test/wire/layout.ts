// Lays a JSON text out in lines for people who compare two of them. Only line breaks and indents
// are added, and white space that was there is marked: texts that differ still do when laid out.

const WIDTH = 180;
const PIECES = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^"{}[\],:\s]+|\s/g;
const OPENS = new Set(['{', '[']);
const CLOSES = new Set(['}', ']']);
const MARKS: Readonly<Record<string, string>> = { ' ': '␠', '\n': '␤', '\r': '␍', '\t': '␉' };

/** Where the bracket that opens at `from` closes. */
function endOf(pieces: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < pieces.length; at += 1) {
    const piece = pieces[at] as string;
    if (OPENS.has(piece)) depth += 1;
    if (CLOSES.has(piece)) depth -= 1;
    if (depth === 0) return at;
  }
  return pieces.length;
}

/** The text in lines: what fits on one stays on one. */
export function laidOut(text: string): string {
  const pieces = (text.match(PIECES) ?? []).map((piece) => MARKS[piece] ?? piece);
  let [out, depth, column] = ['', 0, 0];
  const put = (piece: string): void => {
    out += piece;
    column += piece.length;
  };
  const line = (): void => {
    out += `\n${'  '.repeat(depth)}`;
    column = 2 * depth;
  };
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] as string;
    if (OPENS.has(piece)) {
      const end = endOf(pieces, at);
      const whole = pieces.slice(at, end + 1).join('');
      if (column + whole.length < WIDTH) {
        put(whole);
        at = end;
        continue;
      }
      put(piece);
      depth += 1;
      line();
    } else if (CLOSES.has(piece)) {
      depth -= 1;
      line();
      put(piece);
    } else {
      put(piece);
      if (piece === ',') line();
    }
  }
  return out;
}

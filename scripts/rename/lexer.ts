// Cuts a TypeScript file into code, comments and text, so that a word can be renamed in one of them
// and kept in another.

/** What a piece of a file is. */
export type Kind = 'code' | 'comment' | 'text';

export interface Piece {
  readonly kind: Kind;
  readonly text: string;
}

const REGEX_AFTER = /(?:^|[=(,:;!&|?{}[\n+\-*%<>~^]|\breturn|\bcase|\btypeof)\s*$/;

/** The pieces of TypeScript, in order; joined they are the source again. */
export function piecesOf(source: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let code = 0;
  /** How many braces are open inside each `${` around us. */
  const holes: number[] = [];
  const flush = (): void => {
    if (at > code) pieces.push({ kind: 'code', text: source.slice(code, at) });
  };
  const push = (kind: Kind, end: number): void => {
    flush();
    pieces.push({ kind, text: source.slice(at, end) });
    at = code = end;
  };
  const template = (from: number): void => {
    let end = from;
    while (end < source.length) {
      if (source[end] === '\\') end += 2;
      else if (source[end] === '`') return push('text', end + 1);
      else if (source.startsWith('${', end)) {
        push('text', end);
        at += 2;
        holes.push(0);
        return;
      } else end += 1;
    }
    push('text', end);
  };
  while (at < source.length) {
    const two = source.slice(at, at + 2);
    const one = source[at] ?? '';
    if (two === '//') push('comment', endOf(source, '\n', at));
    else if (two === '/*') push('comment', endOf(source, '*/', at) + 2);
    else if (one === "'" || one === '"') push('text', endOfString(source, at));
    else if (one === '`') {
      template(at + 1);
    } else if (one === '/' && REGEX_AFTER.test(source.slice(Math.max(0, at - 30), at))) {
      push('text', endOfRegex(source, at));
    } else {
      const open = holes.length - 1;
      if (one === '{' && open >= 0) holes[open] = (holes[open] ?? 0) + 1;
      if (one === '}' && open >= 0) {
        if (holes[open] === 0) {
          holes.pop();
          at += 1;
          flush();
          code = at;
          template(at);
          continue;
        }
        holes[open] = (holes[open] ?? 0) - 1;
      }
      at += 1;
    }
  }
  flush();
  return pieces;
}

function endOf(source: string, what: string, from: number): number {
  const found = source.indexOf(what, from + 2);
  return found < 0 ? source.length : found;
}

function endOfString(source: string, from: number): number {
  const quote = source[from];
  let end = from + 1;
  while (end < source.length && source[end] !== quote && source[end] !== '\n') {
    end += source[end] === '\\' ? 2 : 1;
  }
  return end + 1;
}

function endOfRegex(source: string, from: number): number {
  let end = from + 1;
  let inClass = false;
  while (end < source.length && source[end] !== '\n') {
    if (source[end] === '\\') end += 1;
    else if (source[end] === '[') inClass = true;
    else if (source[end] === ']') inClass = false;
    else if (source[end] === '/' && !inClass) return end + 1;
    end += 1;
  }
  return end;
}

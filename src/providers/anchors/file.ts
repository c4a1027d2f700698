// The anchors port as an append-only file. Several processes may append to the same file.
import { createReadStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Anchors } from './port.ts';

/** Lines in the file at `path`, which is created with the first line. */
export function anchorFile(path: string): Anchors {
  return {
    async append(lines) {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, 'a', 0o600);
      try {
        // Starts on a new line: a power loss may have left half of one.
        await file.appendFile(`\n${lines.join('\n')}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
    async read() {
      const size = await stat(path).then((found) => found.size, absent);
      return size === null ? null : linesUpTo(path, size);
    },
  };
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function* linesUpTo(path: string, size: number): AsyncIterable<string> {
  if (size === 0) return;
  const input = createReadStream(path, { end: size - 1 });
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line !== '') yield line;
  }
}

// Notices that the process is to end: by a signal, because its starter is gone, or because nobody
// reads its output. A second request ends the process at once.
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

// One Ctrl-C arrives several times: from the terminal, npm and the start script.
const SAME_REQUEST_MS = 300;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Resolves with the reason when the process is told to end; `printed` is its stdout. */
export function untilAsked(printed: Writable): Promise<string> {
  return new Promise((resolve) => {
    let first = 0;
    const ask = (why: string, code: number): void => {
      if (first === 0) {
        first = Date.now();
        resolve(why);
      } else if (Date.now() - first > SAME_REQUEST_MS) {
        process.exit(code);
      }
    };
    for (const signal of SIGNALS) {
      process.on(signal, () => ask('stopping', signal === 'SIGINT' ? 130 : 143));
    }
    // `holdfast listen | head -1`: nobody reads further output.
    printed.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      resolve('output pipe closed; stopping');
    });
    followStarter(() => ask('parent process is gone; stopping', 1));
  });
}

/** The start script holds the other end of a pipe: its end of file means that it was killed. */
function followStarter(gone: () => void): void {
  const descriptor = Number(process.env['HOLDFAST_LIFELINE_FD'] ?? '');
  delete process.env['HOLDFAST_LIFELINE_FD'];
  if (!Number.isInteger(descriptor) || descriptor < 3 || !isPipe(descriptor)) return;
  const pipe = new Socket({ fd: descriptor, readable: true, writable: false });
  pipe.on('error', gone).on('close', gone).resume();
  pipe.unref();
}

/** An inherited setting may name a descriptor that is not ours. */
function isPipe(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

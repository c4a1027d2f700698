// The parent watchdog: two small shell scripts that outlive this process. When it is gone, SIGKILL
// included, the end of a pipe tells them to stop PostgreSQL and to delete an ephemeral folder.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { Operator } from './operator.ts';

// The first argument is the signal that stops the server. The shell is the server's parent, so the
// pid it signals can be no other process. If the server ignores that, an immediate shutdown (QUIT)
// follows, which loses nothing committed, and then KILL.
const WATCH = `
signal=$1; shift
exec 9<&0
"$@" </dev/null 9<&- &
server=$!
( read -r gone <&9
  trap 'kill "$nap"; exit' TERM
  kill -s "$signal" "$server"; sleep 12 & nap=$!; wait "$nap"
  kill -s QUIT "$server"; sleep 5 & nap=$!; wait "$nap"
  kill -s KILL "$server" ) >/dev/null 2>&1 3>&- &
reader=$!
exec 9<&-
trap '' INT TERM HUP
wait "$server"; code=$?
kill "$reader" 2>/dev/null
exit "$code"
`;

const SWEEP = `
trap '' INT TERM HUP
read -r gone
rm -rf -- "$@"
`;

/** A server with a watchdog. */
export interface WatchedServer {
  /** Closes the pipe, which stops the server, and waits for its end. */
  stop(): Promise<number>;
  /** Resolves with the exit code when the server has ended; awaiting it keeps no process alive. */
  readonly ended: Promise<number>;
}

/** What to run. */
export interface WatchOrder {
  readonly command: readonly string[];
  readonly operator: Operator;
  /** The server's own log, open for appending, so that no pipe has to be drained. */
  readonly logFile: number;
  readonly stopSignal: 'INT' | 'QUIT';
  /** Held open by the server and every backend: a sweeper's pipe, or null. */
  readonly held: Writable | null;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts the server as a child of a shell that stops it when this process is gone. */
export function watch(order: WatchOrder): WatchedServer {
  const child = spawn(
    '/bin/sh',
    ['-c', WATCH, 'holdfast-watch', order.stopSignal, ...order.command],
    {
      cwd: '/',
      detached: true,
      env: order.env,
      stdio: ['pipe', order.logFile, order.logFile, order.held ?? 'ignore'],
      ...(order.operator.switchTo ?? {}),
    },
  );
  return lettingGo(child);
}

/** Wraps a detached child that ends with its pipe; it does not keep this process alive. */
function lettingGo(child: ChildProcess): WatchedServer & { readonly pipe: Writable } {
  const pipe = child.stdin;
  if (pipe === null) throw new Error('a watcher has no pipe');
  pipe.on('error', () => {});
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
  });
  child.unref();
  return {
    pipe,
    ended,
    stop() {
      child.ref();
      pipe.destroy();
      return ended;
    },
  };
}

/**
 * Deletes folders once nobody holds `pipe`: neither this process nor a server that inherited it.
 */
export interface Sweeper {
  readonly pipe: Writable;
  /** Closes the pipe and waits until the folders are gone. */
  stop(): Promise<number>;
}

/** Deletes the folders when this process and every server given the pipe are gone. */
export function sweepAfter(folders: readonly string[]): Sweeper {
  const child = spawn('/bin/sh', ['-c', SWEEP, 'holdfast-sweep', ...folders], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return lettingGo(child);
}

// The two small shells that outlive us. Answers for PostgreSQL ending, and an ephemeral folder
// going, when this process is gone for whatever reason, SIGKILL included: a pipe's end of file
// tells them.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { Operator } from './operator.ts';

// The first argument is the signal that stops the server. The shell is the server's parent, so the
// pid it signals is never somebody else's. A server that ignores the signal is pressed: the second
// line of the ladder is PostgreSQL's immediate shutdown, which loses nothing that was committed.
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

/** A server under watch. */
export interface WatchedServer {
  /** Ends the pipe, which stops the server, and waits until it has ended. */
  stop(): Promise<number>;
  /**
   * Resolves with the server's exit code when it has ended; waiting for it keeps no process alive.
   */
  readonly ended: Promise<number>;
}

/** What to watch. */
export interface WatchOrder {
  readonly command: readonly string[];
  readonly operator: Operator;
  /** Opened for appending; the server's own log, so that no pipe has to be drained. */
  readonly logFile: number;
  readonly stopSignal: 'INT' | 'QUIT';
  /** Held by the server and every backend: a sweeper's pipe, or null. */
  readonly held: Writable | null;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts the server as a child of a shell that stops it when we are gone. */
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

/** A detached child that ends when its pipe does, and meanwhile keeps our process from nothing. */
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
 * Folders that disappear once nobody holds `pipe` any more: neither we nor a server that inherited
 * it.
 */
export interface Sweeper {
  readonly pipe: Writable;
  /** Lets go of the pipe and waits until the folders are gone. */
  stop(): Promise<number>;
}

/** Has the folders removed when this process, and every server given the pipe, is gone. */
export function sweepAfter(folders: readonly string[]): Sweeper {
  const child = spawn('/bin/sh', ['-c', SWEEP, 'holdfast-sweep', ...folders], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return lettingGo(child);
}

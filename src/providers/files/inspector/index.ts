// The files port: our own parsers of three file types and the parser of large bodies, on worker
// threads, so that no request waits behind them. Bytes move there and back without a copy.
import { extname } from 'node:path';
import { Pool } from '../../../concurrency/threads.ts';
import { OffloadedText } from '../../../core/offloaded-text.ts';
import type { FileSource, Files, FileVerdict, LiftBody } from '../port.ts';
import type { Bytes, InspectJob, Job } from './jobs.ts';
import { owned } from './rejected-file.ts';
import type { OutcomeOf } from './worker.ts';

/** How the threads are run. */
export interface FileWorkersOptions {
  /** Number of threads, each of which uses a core while it works; default 1. */
  readonly threads?: number;
  /** Milliseconds for one file or body; default 10,000. */
  readonly jobMs?: number;
  /** Called when a thread dies of a bug or out of memory. */
  fault(error: unknown): void;
}

/** Idle threads; none is started before there is work. */
export interface FileWorkers extends Files {
  readonly lift: LiftBody;
  close(): Promise<void>;
}

const JOB_MS = 10_000;
/** Sources run as TypeScript, the package as JavaScript; the worker has this file's extension. */
const SCRIPT = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url);

export function fileWorkers(options: FileWorkersOptions): FileWorkers {
  const { threads: size = 1, jobMs = JOB_MS, fault } = options;
  const pool = new Pool({ script: SCRIPT, size, jobMs, fault });
  const run = <J extends Job>(job: J, memory: Bytes[]): Promise<OutcomeOf<J> | null> =>
    pool.run(job, memory.map((one) => one.buffer)) as Promise<OutcomeOf<J> | null>;
  return {
    async inspect({ kind, source, claims, maxBytes }): Promise<FileVerdict> {
      const content = contentOf(source);
      const { form } = source;
      const job: InspectJob = { task: 'inspect', kind, form, content, claims, maxBytes };
      const found = await run(job, typeof content === 'string' ? [] : [content]);
      if (found === null) return { ok: false, code: 'FILE_DAMAGED' };
      if (!found.ok) return found;
      const bytes = Buffer.from(found.bytes.buffer);
      return { ok: true, mime: found.mime, bytes, size: bytes.length };
    },
    async lift(segments) {
      const moved = segments.map(owned);
      const found = await run({ task: 'lift', segments: moved }, moved);
      if (found === null || !found.ok) return found;
      const texts = found.texts.map((text) => ({ ...text, bytes: Buffer.from(text.bytes.buffer) }));
      return { ...found, rest: Buffer.from(found.rest.buffer), texts };
    },
    close: () => pool.close(),
  };
}

function contentOf(source: FileSource): string | Bytes {
  if (source.form === 'bytes') return owned(source.bytes);
  return source.text instanceof OffloadedText ? owned(source.text.take()) : source.text;
}

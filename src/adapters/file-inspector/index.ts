// The default adapter of the files port: own parsers of three file types, and the strict reader of
// heavy bodies, on threads of their own, so that no request waits behind them. Answers for moving
// the bytes there and back without a copy. Refuses to know what files and bodies are for.
import { extname } from 'node:path';
import { LiftedText } from '../../kernel/lifted-text.ts';
import type { FileSource, Files, FileVerdict, LiftBody } from '../../ports/files.ts';
import type { Bytes, InspectJob, Job } from './jobs.ts';
import { Pool } from './pool.ts';
import { owned } from './unfit.ts';
import type { OutcomeOf } from './worker.ts';

/** How the threads are run. */
export interface FileWorkersOptions {
  /** Threads; 1 unless given. Each takes a core while it works. */
  readonly threads?: number;
  /** Milliseconds that one file or body may take; 10,000 unless given. */
  readonly jobMs?: number;
  /** Told when a thread dies of a bug or of its memory. */
  fault(error: unknown): void;
}

/** Threads that wait for work; none is started before there is some. */
export interface FileWorkers extends Files {
  readonly lift: LiftBody;
  close(): Promise<void>;
}

const JOB_MS = 10_000;
/** Sources run as TypeScript, the package as JavaScript; the worker is what this file is. */
const SCRIPT = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url);

/** Makes the inspector and the reader of heavy bodies. */
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
  return source.text instanceof LiftedText ? owned(source.text.take()) : source.text;
}

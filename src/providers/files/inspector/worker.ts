// The worker thread that inspects files and parses large bodies, one job at a time. An error that
// escapes a job is a bug; it ends the thread, and the pool starts another.
import { parentPort } from 'node:worker_threads';
import { inspect } from './inspect.ts';
import type { Inspected, InspectJob, Job, Offloaded } from './jobs.ts';
import { lift } from './offload.ts';

/** What the thread posts back for a job of type `J`. */
export type OutcomeOf<J extends Job> = J extends InspectJob ? Inspected : Offloaded;

async function answer(job: Job): Promise<Inspected | Offloaded> {
  return job.task === 'inspect' ? inspect(job) : lift(job.segments);
}

function memoryOf(outcome: Inspected | Offloaded): ArrayBuffer[] {
  if (!outcome.ok) return [];
  if ('mime' in outcome) return [outcome.bytes.buffer];
  return [outcome.rest, ...outcome.texts.map((text) => text.bytes)].map((one) => one.buffer);
}

parentPort?.on('message', async (job: Job) => {
  const outcome = await answer(job);
  parentPort?.postMessage(outcome, memoryOf(outcome));
});

// The worker threads: bytes are moved, not copied; a thread that dies or hangs takes only its own
// job with it; three hundred broken files crash none; nothing is left running.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Rng } from '../../../../test/laws/rng.ts';
import {
  dataUri,
  exif,
  jpeg,
  packedStream,
  pdfOf,
  PDF_PAGES,
  png,
} from '../../../../test/kit/sample-files.ts';
import { Pool } from '../../../concurrency/threads.ts';
import { OffloadedText } from '../../../core/offloaded-text.ts';
import type { FileSource, FileVerdict } from '../port.ts';
import { fileWorkers } from './index.ts';

const faults: unknown[] = [];
const workers = fileWorkers({ fault: (error) => faults.push(error) });
after(() => workers.close());

function look(source: FileSource): Promise<FileVerdict> {
  return workers.inspect({ kind: 'document', source, claims: [], maxBytes: 3_000_000 });
}

test('a file goes there and comes back, in each form', async () => {
  const whole = png(300, 200);
  const text = Buffer.concat([Buffer.from(dataUri('img/png', whole))]);
  const offloaded = new OffloadedText(text, text.length, 'sha256:');
  const sources: FileSource[] = [
    { form: 'bytes', bytes: Buffer.from(whole) },
    { form: 'base64', text: whole.toString('base64') },
    { form: 'data-uri', text: offloaded },
  ];
  for (const source of sources) {
    const found = await look(source);
    assert.deepEqual(found, { ok: true, mime: 'image/png', bytes: whole, size: whole.length });
  }
  // Moved away, not copied.
  assert.equal(text.length, 0);
  assert.throws(() => offloaded.take(), /twice/);
});

test('three hundred random mutations are answered and kill no thread', async () => {
  const dice = new Rng(20_240);
  const packed = packedStream('/Type/ObjStm/N 1/First 4', '9 0 <</Author(x)>>');
  const files = [
    png(20, 20),
    jpeg([exif(6, 'GPS')]),
    pdfOf([...PDF_PAGES, '<</Author(x)>>', packed], '/Info 5 0 R'),
  ];
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) => {
      const bytes = Buffer.from(files[n % files.length] as Buffer);
      // The first bytes stay intact, so that the parsers run.
      for (let left = 1 + dice.below(4); left > 0; left -= 1) {
        bytes[8 + dice.below(bytes.length - 8)] = dice.below(256);
      }
      const end = dice.below(3) === 0 ? dice.below(bytes.length) : bytes.length;
      return look({ form: 'bytes', bytes: bytes.subarray(0, end) });
    }),
  );
  const refused = answers.filter((one) => !one.ok).length;
  assert.ok(refused > 100 && refused < 300, String(refused));
  assert.deepEqual(faults, []);
});

const SCRIPT = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (job) => {
      if (job === 'die') throw new Error('a bug');
      if (job === 'spin') for (;;) ;
      if (job === 'grow') for (const all = []; ; ) all.push(new Array(1e5).fill(1.5));
      parentPort.postMessage([threadId, job]);
    });
  `)}`,
);

async function through(jobs: readonly string[], jobMs: number) {
  const told: unknown[] = [];
  const pool = new Pool({ script: SCRIPT, size: 1, jobMs, fault: (error) => told.push(error) });
  const answers = await Promise.all(jobs.map((job) => pool.run(job, [])));
  await pool.close();
  return { answers: answers as ([number, string] | null)[], told };
}

test('a thread that dies costs one job; the next job gets a new thread', async () => {
  const { answers, told } = await through(['a', 'die', 'b', 'grow', 'c', 'd'], 60_000);
  assert.deepEqual(answers.map((one) => one?.[1] ?? null), ['a', null, 'b', null, 'c', 'd']);
  assert.equal(new Set(answers.map((one) => one?.[0])).size, 4);
  assert.equal(told.length, 2);
});

test('a job that never ends is killed, which is not reported as a fault', async () => {
  const { answers, told } = await through(['spin', 'a'], 3_000);
  assert.deepEqual(answers.map((one) => one?.[1] ?? null), [null, 'a']);
  assert.deepEqual(told, []);
});

test('closing ends what runs and what waits, and takes nothing new', async () => {
  const pool = new Pool({ script: SCRIPT, size: 1, jobMs: 60_000, fault: () => {} });
  const asked = [pool.run('spin', []), pool.run('a', [])];
  await pool.close();
  assert.deepEqual(await Promise.all(asked), [null, null]);
  await assert.rejects(pool.run('a', []), /closed/);
});

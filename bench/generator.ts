// The load generator's process: runs one plan, reports when its window opens and closes, and
// returns what it measured. A separate process, so that bench and server do not share its event
// loop.
import { runClosed } from './closed.ts';
import { runOpen } from './open.ts';
import type { Message, Plan } from './plan.ts';
import { Recorder } from './recorder.ts';

function say(message: Message): void {
  process.send?.(message);
}

async function run(plan: Plan): Promise<void> {
  const openAt = performance.now() + plan.warmupMs;
  const recorder = new Recorder(openAt, openAt + plan.measureMs);
  let atOpen = process.cpuUsage();
  let atClose = atOpen;
  setTimeout(() => {
    atOpen = process.cpuUsage();
    say({ say: 'window-opened' });
  }, plan.warmupMs);
  const closed = new Promise<void>((resolve) => {
    setTimeout(() => {
      atClose = process.cpuUsage();
      say({ say: 'window-closed' });
      resolve();
    }, plan.warmupMs + plan.measureMs);
  });
  process.once('disconnect', () => process.exit());
  await (plan.mode === 'closed' ? runClosed(plan, recorder) : runOpen(plan, recorder));
  await closed;
  const cpu = atClose.user - atOpen.user + atClose.system - atOpen.system;
  say({ say: 'result', result: recorder.result(cpu) });
}

process.once('message', (plan: Plan) => {
  run(plan).then(
    () => process.disconnect(),
    (error: unknown) => {
      say({ say: 'fault', text: error instanceof Error ? (error.stack ?? '') : String(error) });
      process.exitCode = 1;
      process.disconnect();
    },
  );
});

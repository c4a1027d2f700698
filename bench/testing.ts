// Measures what an integrator's test run waits for: the platform of the first test file, that of
// the second, and a workspace for each test. The targets are in figures.ts.
import { startPlatform } from '../testing/index.ts';
import type { Desk } from './site.ts';

const WORLDS = 20;

/** A result, and how many milliseconds it took. */
interface Timed<T> {
  readonly made: T;
  readonly ms: number;
}

async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const began = performance.now();
  const made = await work();
  return { made, ms: performance.now() - began };
}

/** Times of `startPlatform()` and `newWorld()`; the very first start unpacks and is not counted. */
export async function testingPart({ figures, options, say }: Desk): Promise<void> {
  await using shared = await startPlatform();
  for (let round = 0; round < options.rounds; round += 1) {
    const first = await timed(() => startPlatform({ shared: false }));
    await first.made.stop();
    const second = await timed(() => startPlatform());
    await second.made.stop();
    figures.add('testing.first', first.ms / 1000);
    figures.add('testing.second', second.ms);
    const times: number[] = [];
    for (let n = 0; n < WORLDS; n += 1) {
      const { made, ms } = await timed(() => shared.newWorld());
      times.push(ms);
      await made.end();
    }
    const world = times.toSorted((one, other) => one - other)[WORLDS / 2] ?? 0;
    figures.add('testing.world', world);
    say(
      `in a test run: first use ${(first.ms / 1000).toFixed(2)} s, second use ` +
        `${second.ms.toFixed(0)} ms, new world ${world.toFixed(0)} ms`,
    );
  }
}

// Measures the steps of docs/ten-minutes.md as a newcomer takes them: until `npm start` prints, to
// the end of the pasted sale, to the last line of each group of the script, and through the test
// file in a project of its own. The install is not counted.
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { CHECKOUT, endAll, launch, terminate, type Launched } from '../test/start/launch.ts';
import { installPackage } from '../test/start/package.ts';
import type { Desk } from './site.ts';

/** A group of script lines ends when this word has begun a line so many times. */
const GROUPS: readonly (readonly [group: string, word: string, times: number])[] = [
  ['sale', 'event', 1],
  ['escrow', 'event', 2],
  ['books', 'posting', 3],
  ['timeout', 'resolved', 1],
  ['link', 'link', 2],
  ['payout', 'payout', 1],
];

function linesOf({ child }: Launched): Interface {
  if (child.stdout === null) throw new Error('stdout is not piped');
  return createInterface({ input: child.stdout });
}

/** Times every step, round by round. */
export async function tenPart({ figures, options, folder, say }: Desk): Promise<void> {
  const project = join(folder, 'own');
  mkdirSync(project);
  installPackage(folder, project);
  cpSync(join(CHECKOUT, 'docs/examples/ten-minutes.test.mjs'), join(project, 'money.test.mjs'));
  for (let round = 0; round < options.rounds; round += 1) {
    const told: string[] = [];
    let last = performance.now();
    const step = (name: string): void => {
      const seconds = (performance.now() - last) / 1000;
      figures.add(`ten.${name}`, seconds);
      told.push(`${name} ${seconds.toFixed(2)} s`);
      last = performance.now();
    };
    await playRound(folder, options.portBase + 2000, step);
    last = performance.now();
    await done(launch({ command: 'node', args: ['--test'], cwd: project }));
    step('tests');
    say(`the first ten minutes: ${told.join(', ')}`);
  }
}

/** Steps 1 to 4 on a new data folder; each ends with `step`. */
async function playRound(
  folder: string,
  portBase: number,
  step: (name: string) => void,
): Promise<void> {
  const dataDir = mkdtempSync(join(folder, 'ten-'));
  const args = ['start', '--silent', '--', '--port-base', String(portBase)];
  const server = launch({ command: 'npm', args, env: { HOLDFAST_DATA_DIR: dataDir } });
  try {
    for await (const line of linesOf(server)) if (line.startsWith('Press Ctrl-C')) break;
    step('ready');
    const pasted = /Your first sale: .+\n([^]+?)\n\n/.exec(server.stdout())?.[1];
    if (pasted === undefined) throw new Error(server.stderr());
    const sale = launch({ command: 'sh', args: ['-c', pasted] });
    await done(sale);
    if (!sale.stdout().endsWith('"state":"success"\n')) throw new Error(sale.stdout());
    step('call');
    await playScript(join(dataDir, 'running'), step);
    await terminate(server);
  } finally {
    endAll();
  }
}

async function playScript(notes: string, step: (name: string) => void): Promise<void> {
  const script = launch({ command: 'node', args: ['docs/examples/ten-minutes.mjs', notes] });
  const waiting = [...GROUPS];
  const seen = new Map<string, number>();
  for await (const line of linesOf(script)) {
    const word = line.split(' ', 1).join();
    seen.set(word, (seen.get(word) ?? 0) + 1);
    const [group = '', ends = '', times] = waiting[0] ?? [];
    if (word !== ends || seen.get(word) !== times) continue;
    step(group);
    waiting.shift();
  }
  await done(script);
}

async function done(process: Launched): Promise<void> {
  if ((await process.ended) !== 0) throw new Error(process.stdout() + process.stderr());
}

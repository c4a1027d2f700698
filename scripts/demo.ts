// `npm run demo`: plays the story of the first page on a platform of its own that is thrown away.
// --json prints one line of JSON for each step instead.
import { untilAsked } from '../src/cli/ending.ts';
import { startPlatform } from './demo/platform.ts';
import { playStory } from './demo/story.ts';
import { render } from './demo/terminal.ts';

const json = process.argv.includes('--json');
const colours = process.stdout.isTTY === true && !process.env['NO_COLOR'];
const say = (line: string): void => void process.stderr.write(`holdfast: ${line}\n`);

async function play(): Promise<void> {
  const started = performance.now();
  say('starting a platform that is thrown away afterwards');
  const platform = await startPlatform(null);
  const asked = untilAsked().then(async (why) => {
    say(why);
    await platform.stop();
    process.exit(1);
  });
  void asked;
  let number = 0;
  if (!json) process.stdout.write('\n');
  try {
    for await (const step of playStory(platform)) {
      number += 1;
      process.stdout.write(json ? `${JSON.stringify(step)}\n` : render(step, number, colours));
    }
  } finally {
    await platform.stop();
  }
  say(`played in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

try {
  await play();
  process.exit(0);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}

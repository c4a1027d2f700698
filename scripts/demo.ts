// `npm run demo`: plays a story on a platform that is thrown away afterwards: the sale of the first
// page, or with `--story people` a person who is verified, paid out and erased. --json prints one
// line of JSON per step instead.
import { parseArgs } from 'node:util';
import { untilAsked } from '../src/cli/shutdown.ts';
import type { StoryName } from './demo/stories.ts';
import { render } from './demo/terminal.ts';

const colours = process.stdout.isTTY === true && !process.env['NO_COLOR'];
const say = (line: string): void => void process.stderr.write(`holdfast: ${line}\n`);

interface Request {
  readonly story: StoryName;
  readonly json: boolean;
}

// The first line comes before the platform's sources load, which takes seconds on a slow machine.
say('preparing a platform that is thrown away afterwards');
const { STORIES } = await import('./demo/stories.ts');

function readRequest(): Request {
  const { values } = parseArgs({
    options: {
      story: { type: 'string', default: 'sale' },
      json: { type: 'boolean', default: false },
    },
  });
  const { story, json } = values;
  if (!Object.hasOwn(STORIES, story)) {
    say(`--story is one of ${Object.keys(STORIES).join(', ')}, not ${story}`);
    process.exit(1);
  }
  return { story: story as StoryName, json };
}

async function play({ story, json }: Request): Promise<void> {
  const started = performance.now();
  say('starting PostgreSQL');
  const { startPlatform } = await import('./demo/platform.ts');
  const platform = await startPlatform(null, say);
  const asked = untilAsked(process.stdout).then(async (why) => {
    say(why);
    await platform.stop();
    process.exit(1);
  });
  void asked;
  let number = 0;
  if (!json) process.stdout.write('\n');
  try {
    for await (const step of STORIES[story](platform)) {
      number += 1;
      process.stdout.write(json ? `${JSON.stringify(step)}\n` : render(step, number, colours));
    }
  } finally {
    await platform.stop();
  }
  say(`played in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

try {
  await play(readRequest());
  process.exit(0);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}

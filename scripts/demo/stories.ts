// The stories, by the name that `npm run demo -- --story` takes.
import { playPeople } from './people-story.ts';
import type { Platform } from './platform.ts';
import type { Step } from './scene.ts';
import { playStory } from './story.ts';

type Play = (platform: Platform) => AsyncGenerator<Step>;

export const STORIES = { sale: playStory, people: playPeople } as const satisfies Readonly<
  Record<string, Play>
>;
export type StoryName = keyof typeof STORIES;

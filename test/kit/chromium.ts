// The browsers on this machine, or the sentence that says how to get one. Nothing of playwright is
// loaded, so that whoever needs a browser can say so before any work has begun.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/** Said where there is none. */
export const NO_BROWSER =
  'there is no Chromium on the PATH; `apt-get install chromium` puts it there on Debian, and ' +
  'Google Chrome serves as well.';

/** Said where there is no Firefox. */
export const NO_FIREFOX =
  'there is no Firefox on the PATH; `apt-get install firefox-esr` puts it there on Debian.';

function findFirst(names: readonly string[]): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return places.find((place) => existsSync(place)) ?? null;
}

/** The program of the first browser on the PATH; null: there is none. */
export function findBrowser(): string | null {
  return findFirst(NAMES);
}

/** The program of Firefox, the ESR first; null: there is none. */
export function findFirefox(): string | null {
  return findFirst(['firefox-esr', 'firefox']);
}

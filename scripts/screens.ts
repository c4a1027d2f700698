// `npm run screens`: a picture of every screen in every look, in `screens/`, for people to judge.
// Words after the command choose screens and looks by name; `console` takes those of operators, and
// `front` alone takes the README's picture anew, in its place.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { busyDay } from '../test/browser/console.ts';
import { launchBrowser, openBench, type Bench } from '../test/browser/kit.ts';
import { LOOKS, type Look, type Scene } from '../test/browser/scenes.ts';
import { SCENES } from '../test/browser/scenes-account.ts';
import { findBrowser, NO_BROWSER } from '../test/kit/chromium.ts';
import { frontPicture } from './front-picture.ts';

const ROOT = dirname(import.meta.dirname);
const FOLDER = join(ROOT, 'screens');
const FRONT = 'front';
const CONSOLE = 'console';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Takes one picture; prints why if a screen could not be reached. */
async function picture(bench: Bench, scene: Scene, look: Look): Promise<boolean> {
  const { width, height, language: locale } = look;
  const viewport = { width, height };
  const visitor = await bench.visitor({ viewport, locale, deviceScaleFactor: 2 });
  const name = `${look.name}/${scene.name}.png`;
  visitor.expect(/./);
  try {
    await scene.show({ bench, visitor, look });
    // Animations have ended, and frames show no placeholders.
    await visitor.page.waitForTimeout(400);
    await visitor.page.screenshot({ path: join(FOLDER, name), fullPage: true });
    say(name);
    return true;
  } catch (error) {
    say(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await visitor.context.close();
  }
}

/** Takes the console's pages at a desk and, in the dark, on a phone; gives how many overflow. */
async function consolePictures(): Promise<number> {
  const looks = [
    { name: 'console-desk', viewport: { width: 1_280, height: 900 }, colorScheme: 'light' },
    { name: 'console-phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  ] as const;
  const day = await busyDay();
  const browser = await launchBrowser();
  let wide = 0;
  try {
    for (const { name: look, ...options } of looks) {
      mkdirSync(join(FOLDER, look), { recursive: true });
      for (const { name, url, cookie } of day.pages) {
        const context = await browser.newContext({ ...options, extraHTTPHeaders: { cookie } });
        const page = await context.newPage();
        await page.goto(url);
        await page.screenshot({ path: join(FOLDER, look, `${name}.png`), fullPage: true });
        const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
        wide += fits === true ? 0 : 1;
        say(`${look}/${name}.png${fits === true ? '' : ': wider than the screen'}`);
        await context.close();
      }
    }
  } finally {
    await browser.close();
    await day.stop();
  }
  return wide;
}

if (findBrowser() === null) {
  process.stderr.write(`holdfast: npm run screens takes pictures in a browser: ${NO_BROWSER}\n`);
  process.exit(1);
}
const given = process.argv.slice(2);
const words = given.filter((word) => word !== FRONT && word !== CONSOLE);
const front = given.length === 0 || given.includes(FRONT);
const onlyFront = front && given.length > 0 && words.length === 0;
const consoles = given.length === 0 || given.includes(CONSOLE);
const asked = <T extends { readonly name: string }>(all: readonly T[]): readonly T[] => {
  const chosen = all.filter(({ name }) => words.includes(name));
  return chosen.length === 0 ? all : chosen;
};
let missing = consoles ? await consolePictures() : 0;
if (given.length > 0 && given.every((word) => word === CONSOLE)) {
  process.exit(missing === 0 ? 0 : 1);
}
const bench = await openBench();
try {
  for (const look of onlyFront ? [] : asked(LOOKS)) {
    mkdirSync(join(FOLDER, look.name), { recursive: true });
    const { background_color, primary_color } = look;
    const body = { look: { background_color, primary_color } };
    await bench.platform.api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body });
    for (const scene of asked(SCENES)) {
      if (!(await picture(bench, scene, look))) missing += 1;
    }
  }
  // Last, since it dresses the tenant as the demo shop.
  if (front) {
    const name = onlyFront ? 'docs/sale.png' : 'screens/sale.png';
    mkdirSync(FOLDER, { recursive: true });
    await frontPicture(bench, join(ROOT, name));
    say(name);
  }
} finally {
  await bench.stop();
}
const ended = missing === 0 ? '' : `; ${missing} could not be taken`;
say(onlyFront ? 'docs/sale.png is the picture of the README' : `screens/ holds them${ended}`);
process.exit(missing === 0 ? 0 : 1);

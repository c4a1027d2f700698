// The two files that every console page loads. Their names change with their content, so that
// browsers keep them for good.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const named = (name: string, end: string, text: string): string =>
  `${name}-${hash('sha256', text).slice(0, 12)}.${end}`;

const STYLE = read('./style.css');
const LOCAL_TIME = read('./local-time.js');
/** Names of the files, below `/assets/`. */
export const STYLE_NAME = named('style', 'css', STYLE);
export const LOCAL_TIME_NAME = named('local-time', 'js', LOCAL_TIME);

interface Asset {
  readonly type: string;
  readonly text: string;
}

/** The files by name. */
export const ASSETS: Readonly<Record<string, Asset>> = {
  [STYLE_NAME]: { type: 'text/css; charset=utf-8', text: STYLE },
  [LOCAL_TIME_NAME]: { type: 'text/javascript; charset=utf-8', text: LOCAL_TIME },
};

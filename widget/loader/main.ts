// The script on an integrator's page: defines `Holdfast.execute`, also under the service's name, as
// one object on `window`. Loading it twice does no harm.
import type { Widget } from '../package/index.ts';
import { Executor } from './execute.ts';

/** The service's name, inserted by the server. [G-80] */
declare const WORD: string;

const script = document.currentScript;
const source = script instanceof HTMLScriptElement ? script.src : '';
const executor = new Executor(WORD, source === '' ? '' : new URL(source).origin);
const entry: Widget = { execute: (options: unknown) => executor.execute(options) };
const page = window as unknown as Record<string, unknown>;
for (const name of ['Holdfast', WORD.charAt(0).toUpperCase() + WORD.slice(1)]) {
  if (page[name] === undefined) page[name] = entry;
}

// The script of an integrator's page: exposes `Holdfast.execute`, also by the service's own word.
// Answers for one object on `window`, for loading twice without harm, and for its own origin.
import { Executor } from './execute.ts';

/** The service's own word; the server puts it in. [G-80] */
declare const WORD: string;

const script = document.currentScript;
const source = script instanceof HTMLScriptElement ? script.src : '';
const executor = new Executor(WORD, source === '' ? '' : new URL(source).origin);
const entry = { execute: (options: unknown) => executor.execute(options) };
const page = window as unknown as Record<string, unknown>;
for (const name of ['Holdfast', WORD.charAt(0).toUpperCase() + WORD.slice(1)]) {
  if (page[name] === undefined) page[name] = entry;
}

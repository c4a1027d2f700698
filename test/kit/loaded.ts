// Loaded before a program by `--import`: writes down the path of each module that the process and
// its threads load, on a line of its own.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const file = process.env['LOADED_FILES'];
if (file === undefined) throw new Error('LOADED_FILES names no file');

registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});

// The program. Joins the command line to the composition root and to this process's streams and
// signals; all else is told what it needs.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
// In a checkout the data lies beside the sources; a package in node_modules is deleted by an
// install.
const home = existsSync(join(root, 'src/main.ts')) ? root : process.cwd();
enableCompileCache(join(home, '.holdfast', 'compiled'));

const { untilAsked } = await import('./cli/ending.ts');
const asked = untilAsked(process.stdout);
const { runProgram } = await import('./cli/program.ts');

const code = await runProgram(process.argv.slice(2), {
  environment: process.env,
  home,
  print: (text) => void process.stdout.write(text),
  say: (line) => void process.stderr.write(`holdfast: ${line}\n`),
  colours: process.stdout.isTTY === true && !process.env['NO_COLOR'],
  startSystem: async (options) => (await import('./system.ts')).startSystem(options),
  openInstallation: async (options) => (await import('./system.ts')).openInstallation(options),
  asked,
});
process.exit(code);

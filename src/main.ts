// The program: joins the command line, the composition root and this process's streams and signals.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
// A checkout keeps its data beside the sources; below node_modules an install would delete it.
const home = existsSync(join(root, 'src/main.ts')) ? root : process.cwd();
enableCompileCache(join(home, '.holdfast', 'compiled'));

const { untilAsked } = await import('./cli/shutdown.ts');
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

// `npm run demo`, `docs`, `bench`, `prove` and others: sets the checkout up as `npm start` does,
// then runs the named TypeScript file on the pinned Node. All its own output goes to stderr.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './setup/launch.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const given = process.argv.slice(2);
// `--dev` first: the script needs what tests need.
const dev = given[0] === '--dev';
const [script = '', ...args] = dev ? given.slice(1) : given;
await launch(root, script, args, { dev });

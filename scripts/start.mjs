// `npm start` on a bare clone [G-01]: checks the machine, installs what is missing, then runs the
// server on the pinned Node. Plain JavaScript that any Node can parse. All its own output goes to
// stderr: stdout is the server's alone [G-02].
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './setup/launch.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

await launch(root, 'src/main.ts', process.argv.slice(2), { server: true });

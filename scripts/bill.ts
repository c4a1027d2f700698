// Prints the bill of materials (CycloneDX) of what is installed with the package. npm writes it
// from the lock file, and the same lock file always gives the same bill. npm's own choice of
// packages leaves out those that a development package needs too, so ours is made here.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);

interface Bill {
  serialNumber?: string;
  readonly metadata: {
    timestamp?: string;
    readonly component: { name: string; readonly 'bom-ref': string };
  };
  components: readonly { readonly 'bom-ref': string }[];
  dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

interface Lock {
  readonly name: string;
  readonly packages: Readonly<Record<string, Locked>>;
}

const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
const { stdout, status } = spawnSync('npm', args, {
  ...{ cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 },
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (status !== 0) throw new Error('npm sbom failed.');
const bill = JSON.parse(stdout) as Bill;
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
delete bill.serialNumber;
delete bill.metadata.timestamp;
// npm says the folder's.
bill.metadata.component.name = lock.name;
const used = Object.entries(lock.packages).filter(
  // What is a link is a package of ours, beside this one and not inside.
  ([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true,
);
const refs = new Set([
  bill.metadata.component['bom-ref'],
  ...used.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
]);
bill.components = bill.components.filter((one) => refs.has(one['bom-ref']));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);

// What a release says about itself: the section of the changelog that belongs to a version, the
// bill of what it is made of, and the line that a checksum file has for a file.
import { createHash } from 'node:crypto';

/** A section of the changelog without its heading, or the sentence that says what is wrong. */
export type Notes = { readonly text: string } | { readonly objection: string };

/** The notes of a version. */
export function notesOf(changelog: string, version: string): Notes {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((one) => /^[^\s,]+/.exec(one)?.[0] === version);
  if (section === undefined) {
    return { objection: `CHANGELOG.md has no section of ${version}, the version in package.json.` };
  }
  const [heading = '', ...lines] = section.split('\n');
  if (!/^\S+, \d{4}-\d\d-\d\d$/.test(heading)) {
    const example = `"## ${version}, 2026-01-31"`;
    return { objection: `Write the day of the release into CHANGELOG.md, such as ${example}.` };
  }
  const text = lines.join('\n').trim();
  if (text === '') return { objection: `The section of ${version} in CHANGELOG.md is empty.` };
  return { text: `${text}\n` };
}

/** As `sha256sum --check` reads it. */
export function checksumLine(name: string, bytes: Uint8Array): string {
  return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
}

interface Bill {
  serialNumber?: string;
  readonly metadata: { timestamp: string; readonly component: { name: string; 'bom-ref': string } };
  components: readonly { readonly 'bom-ref': string }[];
  dependencies: readonly { readonly ref: string; dependsOn: readonly string[] }[];
}

type Locked = Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>;

/**
 * The bill of materials that npm wrote, as the same commit always gives it: no number of its own,
 * the commit's time, and the package's name instead of its folder's. Of the packages those that are
 * installed with ours; npm's own choice of them leaves out what a development package needs too.
 */
export function settledBill(
  text: string,
  name: string,
  packages: Locked,
  committed: string,
): string {
  const bill = JSON.parse(text) as Bill;
  delete bill.serialNumber;
  bill.metadata.timestamp = new Date(committed).toISOString();
  bill.metadata.component.name = name;
  const used = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const refs = new Set(
    used.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
  );
  bill.components = bill.components.filter((one) => refs.has(one['bom-ref']));
  refs.add(bill.metadata.component['bom-ref']);
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) }));
  return `${JSON.stringify(bill, null, 2)}\n`;
}

// The page of the import law: its rows, and the current dependencies.
import {
  DOORS,
  importsOf,
  LAYERS,
  lawfulFiles,
  partOf,
  PEERS,
} from '../../test/tidy/import-law.ts';
import { table } from './markdown.ts';

/** The page. */
export function importLawPage(): string {
  const files = lawfulFiles();
  const counts = new Map<string, number>();
  for (const { path } of files) counts.set(partOf(path), (counts.get(partOf(path)) ?? 0) + 1);
  const imports = importsOf(files).filter(({ from, to }) => partOf(from) !== partOf(to));
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    edges.set(partOf(from), (edges.get(partOf(from)) ?? new Set()).add(partOf(to)));
  }
  return `# The import law

A file imports its own part and the layers below its own. Inside a layer the second table says who
may know whom. A part is entered through its \`index.ts\`, or through the doors of the third table.
Only \`system.ts\` chooses providers; no two files know each other, not even by a type. Tests are
free. ${files.length} files and ${imports.length} imports between parts keep it.

## Layers, highest first

${table(
  ['Layer', 'What it is'],
  LAYERS.map(({ parts, why }) => [parts.map((part) => `\`${part}\``).join(', '), why]),
)}
## Who may know whom inside a layer

${table(
  ['Part', 'May import'],
  Object.entries(PEERS).map(([part, peers]) => [
    `\`${part}\``,
    peers.map((peer) => `\`${peer}\``).join(', '),
  ]),
)}
## Doors

\`core\`, \`concurrency\`, \`markup\` and \`providers\` are lists of files, each its own door.

${table(
  ['Part', 'Doors'],
  Object.entries(DOORS).map(([part, doors]) => [
    `\`${part}\``,
    doors.map((door) => `\`${door}\``).join(', '),
  ]),
)}
## As it is now

${table(
  ['Part', 'Files', 'Imports'],
  [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([part, count]) => [
      `\`${part}\``,
      String(count),
      [...(edges.get(part) ?? [])].toSorted().join(', ') || '-',
    ]),
)}`;
}

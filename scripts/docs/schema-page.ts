// The page of tables, from the migrations.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTables, type Table } from './read-schema.ts';

const FOLDER = join(import.meta.dirname, '../../migrations');

/** The page. */
export function schemaPage(): string {
  const files = globSync('*.sql', { cwd: FOLDER }).toSorted();
  const schema = readTables(files.map((file) => readFileSync(join(FOLDER, file), 'utf8')));
  const functions = schema.functions
    .map(({ name, comment }) => `- \`${name}\`: ${comment}\n`)
    .join('');
  return `# Schema

${schema.tables.length} tables, made by ${files.length} migrations:
${files.join(', ')}.
A migration is never changed once it is released; the next one adds to it.

## Rules that triggers hold

Each looks at all rows of a statement at once.

${functions}
${schema.tables.map(sectionOf).join('\n')}`;
}

function sectionOf(table: Table): string {
  const attached = table.attached.map((line) => `${line}\n`).join('');
  return `## ${table.name}

${table.comment}

\`\`\`sql
${table.body.replaceAll(/^ {2}/gm, '')}
\`\`\`
${attached === '' ? '' : `\n\`\`\`sql\n${attached}\`\`\`\n`}`;
}

// The matching part of the bench, on a database of its own: pairs of labelled sets, six
// populations, and the table of docs/matching.md. It uses the product's own store and look-up; the
// targets are in matching-figures.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../src/db/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { fileKeys } from '../src/providers/keys/file.ts';
import { pairsPart } from './matching-pairs.ts';
import { peoplesPart } from './matching-peoples.ts';
import { matchingBlock } from './matching-table.ts';
import type { Run } from './site.ts';

const DATABASE = 'bench_matching';
const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs', 'matching.md');
const BEGIN = '<!-- made by npm run bench -- --only matching: begin -->';
const END = '<!-- made by npm run bench -- --only matching: end -->';

/** Everything about matching. */
export async function matchingPart(run: Run): Promise<void> {
  await run.postgres.createDatabase(DATABASE);
  const owner = new Database({ url: run.postgres.url(DATABASE, 'holdfast'), max: 1 });
  await migrate(owner, new URL('../migrations/', import.meta.url));
  await owner.close();
  const url = run.postgres.url(DATABASE);
  const settings = {
    session_replication_role: 'replica',
    statement_timeout: '0',
    maintenance_work_mem: '512MB',
  };
  const db = new Database({ url, max: 4, settings });
  const keyFile = join(run.folder, 'matching-keys.json');
  const keys = await fileKeys(keyFile);
  try {
    const pairs = await pairsPart(run, db, keys);
    const { reliability } = await peoplesPart(run, db, { url, keyFile }, (measured) => {
      // A million persons take long: what is measured before them is kept.
      const block = matchingBlock(pairs, measured);
      process.stdout.write(`${block}\n`);
      if (run.options.writeMatching) writeBlock(block);
    });
    run.figures.add('matching.calibration', reliability.others.error());
  } finally {
    await db.close();
  }
}

/** Replaces the generated block of the page. */
function writeBlock(block: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/matching.md has no ${BEGIN}`);
  writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}\n${block}\n${page.slice(to)}`);
}

// `node scripts/run.mjs --dev bench/peoples/quick.ts vietnam,korea 30000 10000 300 city`: the table
// of docs/matching.md for these populations (or `all`), so many stored, so many strangers looked up
// and others of each kind; in one city, in `towns` or in `both`. In memory, a minute for each.
import { matchingBlock } from '../matching-table.ts';
import { Reliabilities } from '../matching-reliability.ts';
import type { Row } from '../matching-peoples.ts';
import { Peopled, ALL_POPULATIONS } from './index.ts';
import { looks, STORED } from './looks.ts';
import { Stored } from './memory.ts';

const [named = 'all', persons = '30000', asked = '5000', kinds = '300', where = 'city'] =
  process.argv.slice(2);

async function main(): Promise<void> {
  const rows: Row[] = [];
  const reliability = new Reliabilities();
  for (const people of ALL_POPULATIONS) {
    if (named !== 'all' && !named.split(',').includes(people.key)) continue;
    for (const inCity of where === 'both' ? [true, false] : [where === 'city']) {
      const from = new Peopled(people, { inCity, tax: true });
      const stored = new Stored();
      const source = from.persons(STORED);
      for (let at = 0; at < Number(persons); at += 1) stored.add(source.next().value.stated);
      const population = stored.population();
      for (const tax of [false, true]) {
        const each = inCity ? Number(kinds) : 0;
        const order = { stored: Number(persons), strangers: Number(asked), each, tax };
        const told = await looks(from, order, async (stated, own) => {
          const found = stored.find(stated, population);
          const best = own === undefined ? found[0] : found.find(({ at }) => at === own);
          return best?.score ?? 0;
        });
        if (inCity) reliability.add(people.key, told);
        const looked = { ...told, milliseconds: [], memory: 0 };
        const row = { population: people.key, inCity, tax, stored: order.stored };
        rows.push({ ...row, inDatabase: false, looked });
      }
      process.stderr.write(`${people.key}, ${inCity ? 'city' : 'towns'}\n`);
    }
  }
  process.stdout.write(`${matchingBlock([], { rows, reliability })}\n`);
}

await main();

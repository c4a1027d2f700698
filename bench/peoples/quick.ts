// `node bench/peoples/quick.ts [vietnam,korea] [persons] [look-ups]`: the matcher against the
// populations, in memory: strangers who match or come to review, relatives, persons who are found.
// The figures of record are those of `npm run bench -- --only matching`.
import type { Stated } from '../../src/product/people/matching/features.ts';
import { MATCH_THRESHOLD, REVIEW_THRESHOLD } from '../../src/product/people/matching/score.ts';
import { KIN, Peopled, POPULATIONS, rngFor } from './index.ts';
import { Stored } from './memory.ts';
import { again, WRONGS } from './wrongs.ts';

const [named = 'all', persons = '30000', looks = '5000'] = process.argv.slice(2);

function main(): void {
  for (const people of POPULATIONS) {
    if (named !== 'all' && !named.split(',').includes(people.key)) continue;
    for (const inCity of [true, false]) {
      for (const tax of [false, true]) measure(new Peopled(people, { inCity, tax }));
    }
  }
}

function measure(from: Peopled): void {
  const { people, setting } = from;
  const stored = new Stored();
  const source = from.persons(1);
  const some = Array.from({ length: Number(persons) }, () => {
    const { value } = source.next();
    stored.add(value.stated);
    return value;
  });
  const population = stored.population();
  const rng = rngFor(3, people.key);
  const told: string[] = [];
  const tell = (name: string, count: number, draw: (at: number) => [Stated, number]): void => {
    let [matched, review] = [0, 0];
    const shown: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const [stated, own] = draw(at);
      const [best] = stored
        .find(stated, population)
        .filter((one) => own < 0 || (own >= some.length ? true : one.at === own));
      const score = best?.score ?? 0;
      if (score >= MATCH_THRESHOLD) matched += 1;
      else if (score >= REVIEW_THRESHOLD) review += 1;
      const isWrong = name === 'strangers' && score >= REVIEW_THRESHOLD;
      if (isWrong && shown.length < Number(process.env['SHOW'] ?? 0) && best !== undefined) {
        const other = some[best.at]?.stated;
        shown.push(`${score} ${Object.values(stated).join('; ')}\n       ${Object.values(other ?? {}).join('; ')}`);
      }
    }
    const rate = (n: number): string => ((n * 1_000) / count).toFixed(1);
    told.push(`${name} ${rate(matched)}/${rate(review)}`, ...shown.map((line) => `\n  ${line}`));
  };
  const fresh = from.persons(77);
  tell('strangers', Number(looks), () => [fresh.next().value.stated, -1]);
  const each = Math.ceil(Number(looks) / 10);
  const known = (at: number) => some[(at * 7_919) % some.length] as (typeof some)[number];
  for (const kind of KIN) {
    tell(kind, each, (at) => [from.kin(rng, known(at), kind).stated, (at * 7_919) % some.length]);
  }
  for (const wrong of WRONGS) {
    tell(wrong, each, (at) => [again(rng, from, known(at), wrong), (at * 7_919) % some.length]);
  }
  const where = `${people.key}, ${setting.inCity ? 'one city' : 'many towns'}`;
  process.stdout.write(`${where}, ${setting.tax ? 'tax digits' : 'no tax digits'}: `);
  process.stdout.write(`${told.join(', ')}\n`);
}

main();

// Seventy-five ways to write a person, by script, romanization, spelling, short form, order, slip.
// Each is looked up where all else is the same, after a move, and after a move with a new telephone
// and without tax digits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blockingKeysOf } from './blocking-keys.ts';
import { featuresFrom, featuresOf, featuresTo, namesIn, type Stated } from './features.ts';
import { populationOf, type Counted } from './population.ts';
import { MATCH_THRESHOLD, matchWeightOf, scoreFrom } from './score.ts';
import { likeness, soundOf } from './similarity.ts';
import { latinWords } from './transliterate.ts';

/** A name, as given name, middle name and surname, parted by bars; and it written otherwise. */
type Way = readonly [name: string, written: string];

const WAYS: Readonly<Record<string, readonly Way[]>> = {
  'letters that look alike': [
    ['Anna||Castello', 'Аnnа||Castello'],
    ['Marco||Pecorari', 'Mаrсо||Реcоrаri'],
    ['Hector||Benson', 'Ηector||Вenson'],
    ['Sara||Okoye', 'Sаrа||Οkοye'],
    ['Ivan||Horvat', 'Ⅰvаn||𝐇𝐨𝐫𝐯𝐚𝐭'],
    ['John||Hollis', 'J0hn||Hol\u200blis'],
  ],
  Cyrillic: [
    ['Сергей||Щербаков', 'Sergey||Shcherbakov'],
    ['Sergei||Scherbakov', 'Сергей||Щербаков'],
    ['Юлия||Чайковская', 'Julia||Tchaikovskaya'],
    ['Володимир||Гнатюк', 'Volodymyr||Hnatiuk'],
    ['Yuri||Khabarov', 'Iouri||Habarov'],
  ],
  Greek: [
    ['Γεώργιος||Παπαδόπουλος', 'Georgios||Papadopoulos'],
    ['Ευάγγελος||Μπούτσικας', 'Vangelis||Boutsikas'],
    ['Ιωάννης||Νικολάου', 'Yannis||Nikolaou'],
  ],
  Arabic: [
    ['محمد||الحسن', 'Mohammed||Al-Hassan'],
    ['حسين||منصور', 'Hussein||Mansour'],
    ['Mohamed||Abdelrahman', 'Muhammad||Abdul Rahman'],
    ['Youssef||El Khoury', 'Yusuf||Khouri'],
  ],
  Hebrew: [
    ['יוסף||כהן', 'Yosef||Cohen'],
    ['משה||פרידמן', 'Moshe||Fridman'],
    ['Avraham||Ben David', 'Avi||Bendavid'],
  ],
  Thai: [
    ['สมชาย||ศรีสุข', 'Somchai||Srisuk'],
    ['สมหญิง||ใจดี', 'Somying||Chaidee'],
  ],
  Devanagari: [
    ['राजेश||शर्मा', 'Rajesh||Sharma'],
    ['प्रिया||गुप्ता', 'Priya||Gupta'],
    ['संजय||सिंह', 'Sanjay||Singh'],
  ],
  Chinese: [
    ['小明||王', 'Xiaoming||Wang'],
    ['志强||张', 'Zhiqiang||Chang'],
    ['Zedong||Xu', 'Tse-tung||Hsu'],
    ['Xiaohong||Cai', 'Hsiao-hung||Tsai'],
    ['家輝||陳', 'Jiahui||Chan'],
  ],
  Japanese: [
    ['太郎||田中', 'Taro||Tanaka'],
    ['Shota||Goto', 'Syouta||Gotou'],
    ['Junichi||Fujii', 'Zyuniti||Huzii'],
    ['さくら||鈴木', 'Sakura||Suzuki'],
  ],
  Korean: [
    ['영희||이', 'Young-hee||Lee'],
    ['Yeonghui||Yi', 'Young Hee||Rhee'],
    ['지훈||박', 'Ji-hoon||Park'],
    ['성민||朴', 'Sungmin||Pak'],
    ['Kyung-soo||Choi', 'Gyeongsu||Choe'],
  ],
  'letters with signs': [
    ['Jürgen||Müller', 'Juergen||Mueller'],
    ['Søren||Østergård', 'Soeren||Oestergaard'],
    ['Søren||Bjørnson', 'Soren||Bjornson'],
    ['Łukasz||Żółkiewski', 'Lukasz||Zolkiewski'],
    ['Đức||Nguyễn', 'Duc||Nguyen'],
    ['Åsa||Strauß', 'Asa||Strauss'],
  ],
  'surnames of several words': [
    ['Lucia||García Márquez', 'Lucia||Garcia'],
    ['Lucia||Garcia Quispe', 'Lucia||Garcia-Quispe'],
    ['Pieter||van der Berg', 'Pieter||Vanderberg'],
    ['Pieter||van der Zwaan', 'Pieter||Zwaan'],
    ['Jean||de la Croix', 'Jean||Delacroix'],
    ['Sean||O’Malley', 'Sean||O Malley'],
    ['Fiona||MacDougall', 'Fiona||Mc Dougall'],
    ['Omar||bin Khattab', 'Omar||Khattab'],
    ['Anna||Smith-Pascoe', 'Anna||Pascoe Smith'],
  ],
  order: [
    ['Ravi||Chandran', 'Chandran||Ravi'],
    ['小明||王', 'Wang||Xiaoming'],
  ],
  'given names': [
    ['Anna|Maria|Lindqvist', 'Anna Maria||Lindqvist'],
    ['Jean-Pierre||Moulin', 'Jeanpierre||Moulin'],
    ['Jean|Pierre|Moulin', 'Jean-Pierre||Moulin'],
    ['Thomas|Edward|Pell', 'Thomas|E.|Pell'],
    ['Thomas|Edward|Pell', 'Thomas||Pell'],
    ['Thomas||Pell', 'T.||Pell'],
  ],
  titles: [
    ['Robert||Hale', 'Robert||Hale Jr.'],
    ['Robert||Hale III', 'Dr. Robert||Hale'],
  ],
  'short forms': [
    ['William||Penrose', 'Bill||Penrose'],
    ['Guillermo||Ibarra', 'Memo||Ibarra'],
    ['Александр||Лебедев', 'Sasha||Lebedev'],
    ['Małgorzata||Wilk', 'Gosia||Wilk'],
    ['Giuseppe||Conti', 'Beppe||Conti'],
    ['Francisco||Urrutia', 'Paco||Urrutia'],
  ],
  slips: [
    ['Katherine||Malleyson', 'Kahterine||Malleyson'],
    ['Michael||Donnelly', 'Michael||Donelly'],
    ['Brigitte||Schumann', 'Brigite||Schuman'],
  ],
};

const ELSEWHERE = { street: '9 Far Lane', city: 'Elsewhere', zip: '10001', region: 'NY' };

function stated(name: string, changes: Partial<Stated> = {}): Stated {
  const [first = '', middle = '', last = ''] = name.split('|');
  return {
    ...{ first, middle, last, date_of_birth: '1984-03-07', country: 'US', region: 'CA' },
    ...{ street: '12 Old Mill Road', street2: '', city: 'Springfield', zip: '94110' },
    ...{ phone_number: '415 555 0100', ssn_last4: '6789', ...changes },
  };
}

/** Of ten thousand stored one in a thousand has the given name, two the surname, one the date. */
const COUNTS: Partial<Record<Counted, number>> = { forename: 10, surname: 2, year: 150, birth: 1 };
const POPULATION = populationOf({ size: 10_000 }, (kind) => COUNTS[kind] ?? 0);

/** True where one is looked up under a key of the other and scored as a match. */
function isFound(one: Stated, other: Stated): boolean {
  const [mine, theirs] = [featuresOf(one), featuresOf(other)];
  const keys = blockingKeysOf(theirs);
  const weight = matchWeightOf(mine, theirs, POPULATION);
  return blockingKeysOf(mine).some((key) => keys.includes(key)) &&
    scoreFrom(weight, false) >= MATCH_THRESHOLD;
}

type Kinds = readonly (readonly [kind: string, one: Stated, other: Stated])[];

/** Each way, and its dates with day and month swapped. */
function ways(changes: Partial<Stated>): Kinds {
  const named = Object.entries(WAYS).flatMap(([kind, pairs]) =>
    pairs.map(([one, other]) => [kind, stated(one), stated(other, changes)] as const),
  );
  const turned = { ...changes, date_of_birth: '1984-07-03' };
  const ada = 'Ada||Quillfeather';
  return [...named, ['day and month swapped', stated(ada), stated(ada, turned)]];
}

function missed(all: Kinds): string[] {
  return all.flatMap(([kind, one, other]) => {
    if (isFound(one, other) && isFound(other, one)) return [];
    return [`${kind}: ${one.first} ${one.middle} ${one.last} as ${other.first} ${other.last}`];
  });
}

test('however a name is written, its person is found where all else is the same', () => {
  assert.ok(ways({}).length >= 50, String(ways({}).length));
  assert.deepEqual(missed(ways({})), []);
});

test('who has moved is found by their tax digits', () => {
  assert.deepEqual(missed(ways(ELSEWHERE)), []);
});

test('of those who moved, have a new telephone and state no tax digits, three in four are', () => {
  const all = ways({ ...ELSEWHERE, phone_number: '212 555 0177', ssn_last4: '' });
  const lost = missed(all);
  assert.ok(lost.length <= all.length / 4, `${lost.length} of ${all.length}\n${lost.join('\n')}`);
});

const text = fc.string({ unit: 'binary', maxLength: 40 });
const script = fc.constantFrom(...'abАаΑαéøßعمדושगुप्ताชัย王田イん이최 -’1'.split(''));
const name = fc.oneof(text, fc.string({ unit: script, maxLength: 14 }));

test('any text becomes words of Latin letters and digits, once and for all', () => {
  fc.assert(
    fc.property(name, (one) => {
      const words = latinWords(one);
      for (const word of words) assert.match(word, /^[a-z0-9]+$/);
      assert.deepEqual(latinWords(words.join(' ')), words);
    }),
    { numRuns: 1_000 },
  );
});

test('likeness does not depend on the order, and every sound has at most four signs', () => {
  fc.assert(
    fc.property(name, name, (one, other) => {
      const [mine, theirs] = [namesIn(one).join(''), namesIn(other).join('')];
      assert.equal(likeness(mine, theirs), likeness(theirs, mine));
      assert.equal(likeness(mine, mine), mine === '' ? 'missing' : 'same');
      assert.ok(soundOf(mine).length <= 4);
    }),
    { numRuns: 1_000 },
  );
});

test('long texts that nobody is called take no longer', () => {
  const marks = ['e\u0301\u0323', '\u0300', 'ยิ้', 'ﷺ'];
  for (const unit of [...marks, 'a', 'ai', 'kyo', 'аa', "o'", 'a ', '한', 'ch']) {
    const long = unit.repeat(10_000);
    const began = performance.now();
    const features = featuresOf(stated(`${long}|${long}|${long}`, { street: long, city: long }));
    const other = featuresOf(stated(`b${long}|${long}|${long}`, { street: long, zip: long }));
    for (let times = 0; times < 10; times += 1) matchWeightOf(features, other, POPULATION);
    blockingKeysOf(features);
    const took = performance.now() - began;
    assert.ok(took < 3_000, `${unit}: ${took} ms`);
  }
});

test('what was stored in its own script is compared with what is stated now', () => {
  const now = featuresOf(stated('Сергей||Щербаков', { city: 'Київ' }));
  const before = featuresTo({ ...now, given: 'сергеи', surname: 'щербаков', city: 'київ' });
  const { surname, given, city } = featuresFrom(before);
  assert.deepEqual([surname, given, city], [now.surname, 'sergei', now.city]);
  assert.deepEqual(featuresFrom(featuresTo(now)), now);
});

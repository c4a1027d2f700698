// Reading lists, names in several scripts, and scores: pure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvError, readCsv, valuesOf } from './csv.ts';
import { digestOf, entryReader } from './entry.ts';
import { keysOfName, keysOfOrganization, wordsOfOrganization, wordsOfPerson } from './names.ts';
import { nameLikeness, screeningScore, SCREENING_THRESHOLD } from './score.ts';

async function rows(...pieces: string[]): Promise<string[][]> {
  const all: string[][] = [];
  for await (const row of readCsv(pieces)) all.push(row);
  return all;
}

test('rows are read whatever the pieces are, with quotes, line ends and blank fields', async () => {
  const text = 'a,"b ""c"", d"\r\n"e\nf",\n,g';
  const wanted = [['a', 'b "c", d'], ['e\nf', ''], ['', 'g']];
  assert.deepEqual(await rows(text), wanted);
  assert.deepEqual(await rows(...text), wanted, 'one sign at a time');
  assert.deepEqual(await rows(`${text}\n`), wanted, 'with a last line end');
  assert.deepEqual(await rows(''), []);
});

test('a file that is cut off or has a stray quote is refused with its row', async () => {
  for (const [text, says] of [
    ['a,b\n"c', 'Row 2 is cut off.'],
    ['a,b"c', 'Row 1 has a quote inside a field.'],
    ['a\n"b"c\n', 'Row 2 has a quote inside a field.'],
    ['a\rb', 'Row 1 has a carriage return without a line feed.'],
  ] as const) {
    await assert.rejects(rows(text), new CsvError(says), text);
  }
});

test('a field of several values is quoted like a row', () => {
  assert.deepEqual(valuesOf('Ann Lee;"Lee; Ann";'), ['Ann Lee', 'Lee; Ann']);
  assert.deepEqual(valuesOf(''), []);
});

const HEADER = ['id', 'schema', 'name', 'aliases', 'birth_date', 'countries', 'last_seen'];

test('an entry has its names and whole dates; what is not needed changes no digest', () => {
  const read = entryReader(['\uFEFFid', ...HEADER.slice(1)]);
  const row = ['Q1', 'Person', 'Иван Петров', 'Ivan Petrov;Иван Петров', '1960;c. 1961', 'RU;by'];
  const entry = read([...row, '2026-01-01']);
  assert.deepEqual(entry, {
    ...{ id: 'Q1', schema: 'Person', names: ['Иван Петров', 'Ivan Petrov'], births: ['1960'] },
    ...{ countries: ['ru', 'by'], identifiers: [], sanctions: [] },
  });
  assert.equal(digestOf(entry), digestOf(read([...row, '2026-02-02'])));
  assert.throws(() => read(row), CsvError);
  assert.throws(() => read(['', ...row.slice(1), '']), CsvError);
  const lacks = new CsvError('The header has no column schema.');
  assert.throws(() => entryReader(['id', 'name']), lacks);
});

/** True where the two names are found under a common key. */
function meets(one: string, other: string): boolean {
  const keys = keysOfName(wordsOfPerson(other));
  return keysOfName(wordsOfPerson(one)).some((key) => keys.includes(key));
}

test('a name is found in any order, spelling, script, and as one word or two', () => {
  for (const [one, other] of [
    ['John Smith', 'SMITH, John Q.'],
    ['Jon Smyth', 'John Smith'],
    ['Liz Taylor', 'Elizabeth Taylor'],
    ['Abdel Rahman Hassan', 'Abdelrahman Hassan'],
    ['Владимир Иванов', 'Иванов Владимир Петрович'],
    ['محمد حسن', 'حسن محمد علي'],
    ['近平 习', '习近平'],
    ['José Nuñez', 'Jose Nunez'],
    ['이영희', 'Young-hee Lee'],
    ['Xi Jinping', '习近平'],
    ['Владимир Иванов', 'Wladimir Iwanow'],
    ['Teng Hsiao-ping', 'Deng Xiaoping'],
    ['محمد حسن', 'Mohammed Hassan'],
  ] as const) {
    assert.ok(meets(one, other), `${one} and ${other}`);
    const alike = nameLikeness(wordsOfPerson(one), wordsOfPerson(other));
    assert.ok(alike >= 0.85, `${one} is like ${other}: ${alike}`);
  }
  assert.deepEqual(keysOfName(['suharto']), [], 'one word says too little');
  assert.ok(!meets('John Smith', 'John Doe'));
});

const score = (name: string, birth: string, countries: string[], entry: object = {}): number =>
  screeningScore(
    { names: [wordsOfPerson(name)], birth, countries },
    { names: [wordsOfPerson('Ivan Petrov')], births: ['1960-03-04'], countries: ['ru'], ...entry },
  );

test('the name decides; a birth date that differs clears, one that is unknown does not', () => {
  const isHit = (value: number): boolean => value >= SCREENING_THRESHOLD;
  assert.equal(score('Ivan Petrov', '1960-03-04', ['ru']), 1);
  assert.equal(score('Petrov Ivan', '1960-03-04', ['ru']), 1);
  assert.ok(isHit(score('Ivan Petrov', '1960-04-03', ['ru'])), 'day and month swapped');
  assert.ok(isHit(score('Ivan Petrov', '1961-09-09', ['ru'])), 'a year beside');
  assert.ok(isHit(score('Ivan Petrov', '1990-01-01', ['us'], { births: [] })), 'no date listed');
  assert.ok(isHit(score('Ivan Petrov', '1960-11-11', ['us'], { births: ['1960'] })));
  assert.ok(isHit(score('Ivan Sergeyevich Petrov', '1960-03-04', ['ru'])), 'a further name');
  assert.ok(!isHit(score('Ivan Petrov', '1990-01-01', ['ru'])), 'another birth date');
  assert.ok(!isHit(score('Ivan Petersen', '', ['us'])));
  assert.ok(!isHit(score('Ivan Kuznetsov', '1960-03-04', ['ru'])));
  assert.ok(!isHit(score('Ivan', '1960-03-04', ['ru'])));
});

test('an organization is keyed without its legal form, and by one word if it has no more', () => {
  const keys = (name: string): string[] => keysOfOrganization(wordsOfOrganization(name));
  assert.deepEqual(keys('Zarya GmbH'), keys('ZARYA, Ltd.'));
  assert.equal(keys('Zarya').length, 1);
  assert.deepEqual(keys('Borealis Shipping Co'), keys('Shipping Borealis'));
  assert.deepEqual(wordsOfOrganization('AG Limited'), ['ag', 'limited'], 'never no word');
  assert.deepEqual(keys(''), []);
});

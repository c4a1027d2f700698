// Statements as templates: what is sent as a value, and what becomes part of the text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepared, raw, sql } from './sql.ts';

test('values are sent as parameters in their order, whatever they hold', () => {
  const hostile = `'; drop table wallet; --`;
  const statement = sql`select id from wallet where id = ${hostile} and amount = any (${[1, 2]})`;
  assert.deepEqual(statement, {
    text: 'select id from wallet where id = $1 and amount = any ($2)',
    values: [hostile, [1, 2]],
  });
});

test('a number in the text names an earlier value, and a part is no value', () => {
  const columns = raw('id, amount');
  const { text, values } = sql`select ${columns} from t where a = ${7} and (b = ${null} or c = $1)`;
  assert.equal(text, 'select id, amount from t where a = $1 and (b = $2 or c = $1)');
  assert.deepEqual(values, [7, null]);
});

test('a named statement has its name, and the same text whatever the values are', () => {
  const of = (id: string) => prepared('one')`select from t where id = ${id}`;
  assert.deepEqual(of('a'), { name: 'one', text: 'select from t where id = $1', values: ['a'] });
  assert.equal(of('a').text, of('b').text);
});

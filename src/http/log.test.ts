// The log never writes a card number, in whatever field it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpLog } from './log.ts';

test('card numbers are masked in what is written', () => {
  const lines: string[] = [];
  const log = httpLog('info', (line) => void lines.push(line));
  log.write({ event: 'notice', text: 'took 4111-1111-1111-1111 from 127.0.0.1:54012' });
  const [entry] = lines.map((line) => JSON.parse(line) as { readonly text: string });
  assert.equal(entry?.text, 'took [card number] from 127.0.0.1:54012');
});

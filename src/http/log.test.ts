// The log writes the fields of its schemas alone, and never a card number, in whatever field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../core/refusal.ts';
import { engineRefusals } from '../engine/index.ts';
import { httpLog, LOG_EVENTS, logFault, type LogEntry } from './log.ts';

test('card numbers are masked in what is written', () => {
  const lines: string[] = [];
  const log = httpLog('info', (line) => void lines.push(line));
  log.write({ event: 'notice', text: 'took 4111-1111-1111-1111 from 127.0.0.1:54012' });
  const [entry] = lines.map((line) => JSON.parse(line) as { readonly text: string });
  assert.equal(entry?.text, 'took [card number] from 127.0.0.1:54012');
});

const line = (entry: unknown): Record<string, unknown> => {
  const lines: string[] = [];
  httpLog('info', (text) => void lines.push(text)).write(entry as LogEntry);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
};

test('a field that its event does not have is never written', () => {
  const notice = { event: 'notice', text: 'said', email: 'jane@example.org' };
  assert.deepEqual(Object.keys(line(notice)), ['at', 'event', 'text']);
});

test('what a fault of others says is not quoted, and its line conforms', () => {
  const lines: string[] = [];
  const counted: string[] = [];
  const log = httpLog('error', (text) => void lines.push(text), (name) => void counted.push(name));
  logFault(log, Object.assign(new Error('Jane Doe'), { code: '23505' }), 'payInvoice');
  logFault(log, new Error('a sentence of ours'));
  const [theirs, ours] = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
  assert.doesNotMatch(lines[0] ?? '', /Jane/);
  assert.equal(ours?.['message'], 'a sentence of ours');
  for (const { at, ...entry } of [theirs ?? {}, ours ?? {}]) {
    assert.match(String(at), /^\d{4}-/);
    assert.ok(LOG_EVENTS.fault.safeParse(entry).success);
  }
  assert.deepEqual(counted, ['payInvoice', 'worker']);
});

test('a refusal that background work meets is named, not "object"', () => {
  const lines: string[] = [];
  const log = httpLog('error', (text) => void lines.push(text));
  logFault(log, new Refusal(engineRefusals.DATABASE_UNAVAILABLE, { 'a.field': 'Jane' }, 1));
  const { at: _, ...entry } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  assert.ok(LOG_EVENTS.fault.safeParse(entry).success);
  const { code, sentence } = engineRefusals.DATABASE_UNAVAILABLE;
  assert.deepEqual([entry['error'], entry['code'], entry['message']], ['Refusal', code, sentence]);
  assert.doesNotMatch(lines[0] ?? '', /Jane/);
});

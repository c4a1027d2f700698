// The sessions of an operator as a table, each with a button that ends it.
import type { OperatorSession, sessionsOf } from '../product/access/operator/index.ts';
import { html, type Html } from '../markup/html.ts';
import { moment, table } from './blocks.ts';
import { postForm } from './frame.ts';

/** The table; `path` takes the forms. The session that looks at it has no button. */
export function sessionTable(
  asks: OperatorSession,
  sessions: Awaited<ReturnType<typeof sessionsOf>>,
  path: string,
): Html {
  const end = (id: string): Html =>
    postForm(
      asks,
      path,
      html`<input type="hidden" name="session" value="${id}">
<button class="quiet">End</button>`,
    );
  return table({
    caption: 'Sessions',
    head: ['Signed in', 'Last used', 'Session'],
    rows: sessions.map(({ id, created, seen }) => [
      ...[moment(created), moment(seen)],
      id === asks.id ? 'this session' : end(id),
    ]),
    empty: 'No sessions.',
  });
}

// The log of requests: what the servers of the tenant asked and how it ended. Bodies, addresses and
// headers are not shown, because they are not stored.
import { operations } from '../../catalogue.ts';
import { isUuid } from '../../core/ids.ts';
import { isInstant } from '../../core/time.ts';
import { html, type Html } from '../../markup/html.ts';
import { listClients, type ShownClient } from '../../product/access/oauth/index.ts';
import { NOTES_SEEN, readRequests, type LoggedRequest } from '../../product/tell/explain/index.ts';
import { card, empty, moment, table } from '../blocks.ts';
import { choice, field } from '../frame.ts';
import { get, tenantOf, type ConsoleApp, type PageRequest } from '../routes.ts';
import { active, ways } from './parts.ts';

const AT = '/developers/requests';
const ROWS = 50;
const CLASSES = [
  ...([['', 'any'], ['2', '2xx: done'], ['4', '4xx: refused'], ['5', '5xx: failed']] as const),
] as const;

/** Registers the log of requests. */
export function requestPages(app: ConsoleApp): void {
  get(app, AT, 'develop', show);
}

async function show(request: PageRequest) {
  const { services, query } = request;
  const { workspace } = tenantOf(request);
  const clients = await listClients(services.db, workspace);
  const title = 'Requests';
  if (services.requestNotes === null) {
    const why = `This server keeps no notes of requests (HOLDFAST_REQUEST_NOTES is off). Its
access log has a line for each, with the same fields and the request id.`;
    const body = html`${ways(AT, services)}${card(title, empty(why))}`;
    return { title, active, body };
  }
  await services.requestNotes.flush();
  const asked = {
    status: /^[245]$/.test(query['status'] ?? '') ? (query['status'] ?? '') : '',
    client: clients.find(({ id }) => id === query['client'])?.id ?? '',
    request: (query['request'] ?? '').trim(),
  };
  const { before = '' } = query;
  // An id that is none is of no request.
  const known = asked.request === '' || isUuid(asked.request);
  const filter = {
    statusClass: asked.status === '' ? null : Number(asked.status),
    clientId: asked.client === '' ? null : asked.client,
    requestId: asked.request === '' ? null : asked.request,
    before: isInstant(before) ? before : null,
  };
  const rows = known ? await readRequests(services.db, workspace, filter, ROWS + 1) : [];
  const last = rows.length > ROWS ? rows[ROWS - 1] : undefined;
  const older = new URLSearchParams({ ...asked, before: last?.at ?? '' });
  const body = html`${ways(AT, services)}${card('Find', filterForm(asked, clients))}
${card(title, html`${requestTable(rows.slice(0, ROWS), clients)}${last && html`<nav class="pages"
 aria-label="Pages"><a rel="next" href="${AT}?${String(older)}">Older</a></nav>`}`)}
${card('Kept', keptOf(services.requestNotes.kept))}`;
  return { title, active, body };
}

const LEFT_OUT = {
  on: 'Reads that succeeded are left out',
  refused: 'Calls that succeeded are left out: the access log of the server has them',
};

function keptOf(kept: 'on' | 'refused'): Html {
  return html`<p>Kept for seven days: time, operation, client, status, the code of a refusal,
duration and ids. <strong>Bodies, query strings, headers and addresses are not kept</strong>, so
there is nothing in them to mask. ${LEFT_OUT[kept]}. So is what came without a valid token. A
filter looks at the newest ${NOTES_SEEN.toLocaleString('en-US')} notes; a request has one for each
id that it named.</p>`;
}

function filterForm(
  asked: Readonly<Record<'status' | 'client' | 'request', string>>,
  clients: readonly ShownClient[],
): Html {
  const names = clients.map(({ id, name }) => [id, name] as const);
  return html`<form method="get" action="${AT}" class="filters">
${choice('Status', 'status', CLASSES, { chosen: asked.status })}
${choice('Client', 'client', [['', 'any'], ...names], { chosen: asked.client })}
${field('Request id', 'request', { value: asked.request, optional: true })}
<p><button class="quiet">Show</button></p></form>`;
}

function requestTable(rows: readonly LoggedRequest[], clients: readonly ShownClient[]): Html {
  return table({
    caption: 'Requests, newest first',
    head: [
      ...(['Time', 'Request and its id', { number: 'Status' }, 'Refusal'] as const),
      ...([{ number: 'Milliseconds' }, 'Client'] as const),
    ],
    rows: rows.map((row) => [
      moment(row.at),
      html`<code>${requestLine(row.operation)}</code>
<div class="faint"><code>${row.id}</code></div>`,
      row.status,
      row.refused === null ? '' : html`<code>${row.refused}</code>`,
      row.took_ms,
      html`${clients.find(({ id }) => id === row.client_id)?.name ?? row.client_id}${
        row.account_id !== null && ` (${row.caller})`
      }`,
    ]),
    empty: 'No request is like that.',
  });
}

/** Method and path without ids; what only a sandbox has is named by its operation. */
function requestLine(id: string): string {
  const known = operations.find((one) => one.id === id);
  return known === undefined ? id : `${known.method} ${known.path}`;
}

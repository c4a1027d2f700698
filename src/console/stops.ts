// The kill switches of the chosen tenant. Those of the whole installation are shown here, and set
// at the command line.
import { hasRight, rolesThat } from '../product/access/operator/index.ts';
import { connectionsOf } from '../product/tenant/provider/index.ts';
import { isStoppable, resume, stop } from '../product/tenant/stop/index.ts';
import { PROVIDER_STOPPED, STOPPABLE, stopsNow } from '../product/tenant/stop/index.ts';
import { html } from '../markup/html.ts';
import { badge, card, moment, table } from './blocks.ts';
import { postForm } from './frame.ts';
import { backTo, get, NotThere, post, tenantOf } from './routes.ts';
import type { ConsoleApp, PageRequest } from './routes.ts';

/** To stop takes one person, to resume a supervisor who did not stop it. */
const ACTS = [
  { act: stop, path: 'stop', right: 'stop', done: 'stopped', not: 'was stopped already' },
  { act: resume, path: 'resume', right: 'confirm', done: 'resumed', not: 'was not stopped' },
] as const;

/** Registers the page of kill switches. */
export function stopPages(app: ConsoleApp): void {
  get(app, '/stops', 'stop', listPage);
  for (const { act, path, right, done, not } of ACTS) {
    post(app, `/stops/:what/${path}`, right, async ({ services, session, tenant, params }) => {
      const { what = '' } = params;
      if (tenant === null || !isStoppable(what)) throw new NotThere();
      const target = { what, integrator: tenant.integrator };
      const changed = await act(services.db, target, `operator:${session.operatorId}`);
      return backTo('/stops', `${what}: ${changed ? done : not}.`);
    });
  }
}

async function listPage(request: PageRequest) {
  const { services, session } = request;
  const tenant = tenantOf(request);
  const all = await stopsNow(services.db);
  const { db, keys } = services;
  const connected = (await connectionsOf(db, keys, tenant.workspace)).map(({ provider }) => {
    return [`provider:${provider}`, PROVIDER_STOPPED] as const;
  });
  const stoppable = new Map([...Object.entries(STOPPABLE), ...connected]);
  const rows = [...stoppable].map(([name, means]) => {
    const holds = all.filter(({ what }) => what === name);
    const own = holds.find(({ integrator }) => integrator === tenant.integrator);
    const { path, right } = ACTS[own === undefined ? 0 : 1];
    const form = postForm(session, `/stops/${name}/${path}`, html`<button>${path}</button>`);
    return [
      name,
      means,
      badge(own === undefined ? 'running' : 'stopped'),
      own === undefined ? '–' : moment(own.since),
      holds.some(({ integrator }) => integrator === null) ? badge('stopped') : '–',
      hasRight(session, right) ? form : `needs the role ${rolesThat(right)}`,
    ];
  });
  const head = ['What', 'While it is stopped', 'This tenant', 'Since', 'Everybody', 'Change'];
  const list = table({ caption: 'Kill switches', head, rows, empty: '' });
  return { title: 'Kill switches', active: '/', body: card('Kill switches', list) };
}

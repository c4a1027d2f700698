// What may be done with an object's money: links on its page, and a form for each act. The acts are
// rows of the product; here they become pages. A form acts once, and only on what it showed.
import { machines, operations } from '../catalogue.ts';
import { hasRight } from '../product/access/operator/index.ts';
import { secondFrom } from '../product/context.ts';
import {
  ACTS,
  actsOn,
  askFor,
  digestOf,
  openActs,
  operationOf,
  subjectKind,
  subjectOf,
  type ActingOperator,
  type ActParts,
  type MoneyAct,
  type Subject,
} from '../product/money/act/index.ts';
import { explain } from '../product/tell/explain/index.ts';
import { uuidOfWireId } from '../core/ids.ts';
import { html, type Html } from '../markup/html.ts';
import { badge, card, definitions, money, objectLink } from './blocks.ts';
import { choice, field, postForm } from './frame.ts';
import { backTo, get, NotThere, post, there, type ConsoleApp, type PageRequest } from './routes.ts';

const CATALOGUE = { operations, machines };
for (const act of ACTS) operationOf(CATALOGUE, act);

/** The field for why somebody acts. */
export const REASON = field('Reason', 'reason', {}, 'Why, in words; names nobody, since it stays');

/** A choice in which nothing is chosen yet, unless there is only one thing to choose. */
export function choose(
  label: string,
  name: string,
  options: readonly (readonly [value: string, words: string])[],
): Html {
  const all = options.length === 1 ? options : [['', 'Choose one'] as const, ...options];
  return choice(label, name, all, { marks: html` required` });
}

/** Registers the forms. */
export function actPages(app: ConsoleApp): void {
  get(app, '/objects/:id/acts/:act', 'bank', show);
  post(app, '/objects/:id/acts/:act', 'bank', send);
}

/** What acts need, and who acts. */
export function actorOf({ services, session, tenant }: PageRequest): [ActParts, ActingOperator] {
  const { workspace, integrator } = there(tenant);
  const { operatorId } = session;
  return [{ services, ...CATALOGUE }, { operatorId, workspace, integrator }];
}

/** The object that people act on; null where nobody acts on such a one. `id`: as it is spelled. */
async function subjectNamed(
  { services: { db }, tenant }: PageRequest,
  named: string,
  id: string,
): Promise<Subject | null> {
  const kind = subjectKind(named);
  if (kind === null || tenant === null) return null;
  return subjectOf(db, tenant.workspace, kind, uuidOfWireId('esc', id) ?? id);
}

/** Links to what may be done with an object now; null for nothing. */
export async function actsCard(
  request: PageRequest,
  named: string,
  id: string,
): Promise<Html | null> {
  const subject = await subjectNamed(request, named, id);
  if (subject === null || request.tenant === null) return null;
  const { services: { db }, session, tenant } = request;
  const [open] = await openActs(db, tenant.workspace, subject.id);
  if (open !== undefined) {
    return card('What may be done', html`<p>An act on it is not finished:
<a href="/money/${open.id}">${labelOf(open.act)}</a> ${badge(open.state)}</p>`);
  }
  const acts = hasRight(session, 'bank') ? actsOn(CATALOGUE, subject) : [];
  const links = acts.map(({ name, label }) => {
    return html`<a class="button quiet" href="/objects/${id}/acts/${name}">${label}</a>
`;
  });
  return acts.length === 0 ? null : card('What may be done', html`<p class="row">${links}</p>`);
}

/** The name of an act for people. */
export function labelOf(name: string): string {
  return ACTS.find((act) => act.name === name)?.label ?? 'Balancing entry';
}

async function found(request: PageRequest): Promise<readonly [Subject, MoneyAct]> {
  const { services: { db }, tenant, params: { id = '', act: name = '' } } = request;
  const about = tenant && await explain(db, tenant.workspace, id, machines);
  const subject = about && await subjectNamed(request, about.kind, about.id);
  const act = ACTS.find((one) => one.name === name && one.kind === subject?.kind);
  if (!subject || act === undefined) throw new NotThere();
  return [subject, act];
}

/** What is left of an object, in words. */
const LEFT: Readonly<Record<string, string>> = {
  invoice: 'Not refunded yet',
  escrow: 'Still held',
};

async function show(request: PageRequest) {
  const { services, session, params: { id = '' } } = request;
  const [subject, act] = await found(request);
  const [, { workspace }] = actorOf(request);
  const { state, currency, amount, left } = subject;
  const title = act.label;
  const rest = LEFT[act.kind];
  const facts = definitions([
    ['Object', objectLink(id)],
    ['State', badge(state)],
    ['Amount', money(amount, currency)],
    ...(rest === undefined ? [] : [[rest, money(left, currency)] as const]),
  ]);
  if (!actsOn(CATALOGUE, subject).includes(act)) {
    const body = html`${card('Not possible now', facts)}
<p>The object is in a state that does not allow this, or it was done already.</p>`;
    return { title, active: '/lists', body };
  }
  const limit = money(await secondFrom(services, workspace, currency), currency);
  const hint = `In ${currency}, such as 12.50`;
  const fields = (act.fields?.(subject) ?? []).map(({ name, label, options, zero }) => {
    return options === undefined
      ? field(label, name, zero && { optional: true }, hint + (zero ? '; empty for nothing' : ''))
      : choose(label, name, options);
  });
  const form = postForm(session, `/objects/${id}/acts/${act.name}`, html`
<input type="hidden" name="token" value="${services.random.uuid()}">
<input type="hidden" name="seen" value="${digestOf(subject)}">
${fields}${REASON}<p><button>${act.label}</button></p>`);
  const body = html`${card('Now', facts)}${card('What it does', html`<p>${act.says}</p>
${act.moves !== undefined && html`<p class="faint">From ${limit} on it waits for a second
person.</p>
`}${form}`)}`;
  return { title, active: '/lists', body };
}

async function send(request: PageRequest) {
  const [{ kind, id: subjectId }, { name: act, label }] = await found(request);
  const { form, params: { id = '' } } = request;
  const { id: made, state, fresh } = await askFor(
    ...(actorOf(request)), { kind, subjectId, act, form },
  );
  if (!fresh) {
    return backTo(`/money/${made}`, 'This form was sent before: nothing was done again.', 'bad');
  }
  return state === 'proposed'
    ? backTo(`/money/${made}`, 'Proposed: a second person must confirm it.')
    : backTo(`/objects/${id}`, `Done: ${label}.`);
}

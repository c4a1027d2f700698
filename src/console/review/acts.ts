// Actions on a case: take it, release it, decide, confirm as second operator, view a document once.
// Cases of persons and businesses share these forms.
import {
  claimCase,
  decide,
  releaseCase,
  second,
  viewDocument,
  type SeenCase,
} from '../../product/people/review/index.ts';
import { isUuid } from '../../core/ids.ts';
import { backTo, get, NotThere, post, type ConsoleApp, type PageRequest } from '../routes.ts';
import { reviewerOf, verdictOf } from './parts.ts';

/** A case named by a path. */
export type NamedCase = Omit<SeenCase, 'version'>;

/** Finds the case in the path; throws `NotThere` for one that the session may not see. */
export type FindCase = (request: PageRequest) => Promise<NamedCase>;

/** Registers the actions below a path such as `/reviews/:id`. */
export function actPages(app: ConsoleApp, at: string, find: FindCase): void {
  get(app, `${at}/documents/:document`, 'review', showDocument);
  post(app, `${at}/take`, 'review', async (request) => take(request, await find(request)));
  post(app, `${at}/return`, 'review', async (request) => giveBack(request, await find(request)));
  post(app, `${at}/decide`, 'review', async (request) => decideOne(request, await find(request)));
  post(app, `${at}/second`, 'confirm', async (request) => {
    return secondOne(request, await find(request));
  });
}

async function showDocument({ services, session, params, query }: PageRequest) {
  const document = params['document'] ?? '';
  if (!isUuid(document)) throw new NotThere();
  const reviewer = reviewerOf(session);
  const { bytes, mime } = await viewDocument(services, reviewer, document, query['token'] ?? '');
  return { bytes, type: mime };
}

const ROOTS = { person: 'reviews', business: 'businesses', hit: 'hits' } as const;

/** Back to the case, with a message. */
function back({ params }: PageRequest, subject: NamedCase['subject'], text: string, good = true) {
  const path = `/${ROOTS[subject]}/${params['id'] ?? ''}`;
  return backTo(path, text, good ? 'good' : 'bad');
}

async function take(request: PageRequest, { workspace, id, subject }: NamedCase) {
  const { services, session } = request;
  const got = await claimCase(services.db, reviewerOf(session), workspace, id);
  const text = got ? 'The case is yours for 20 minutes.' : 'Somebody else is working on this case.';
  return back(request, subject, text, got);
}

async function giveBack(request: PageRequest, { workspace, id, subject }: NamedCase) {
  const { services, session } = request;
  await releaseCase(services.db, reviewerOf(session), workspace, id);
  return back(request, subject, 'The case was released.');
}

function seen({ form }: PageRequest, named: NamedCase): SeenCase {
  return { ...named, version: Number(form['version']) };
}

async function decideOne(request: PageRequest, named: NamedCase) {
  const { services, session, form } = request;
  const verdict = verdictOf(form);
  const note = form['note'] ?? '';
  const said = await decide(services, reviewerOf(session), seen(request, named), verdict, note);
  const text = said.proposed ? 'Proposed: a second person must confirm it.' : 'Decision saved.';
  return back(request, named.subject, text);
}

async function secondOne(request: PageRequest, named: NamedCase) {
  const { services, session, form } = request;
  const agrees = form['word'] === 'confirm';
  const note = form['note'] ?? '';
  await second(services, reviewerOf(session), seen(request, named), agrees, note);
  const text = agrees ? 'Confirmed: the decision is in effect.' : 'Rejected: the case stays open.';
  return back(request, named.subject, text);
}

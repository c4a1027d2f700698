// Parts shared by the pages of persons and businesses: forms for a decision, its confirmation and
// opening data; history, notes, documents.
import {
  findOperator,
  hasRight,
  type OperatorSession,
} from '../../product/access/operator/index.ts';
import {
  DECISIONS,
  NOTE_MAX,
  REVEAL_REASONS,
  type CaseDecision,
  type CaseStep,
  type OpenedNote,
  type RevealReason,
  type ProposalSeen,
  type Reviewer,
  type Verdict,
  type ViewTokens,
} from '../../product/people/review/index.ts';
import type { Services } from '../../product/context.ts';
import { inputRefusals } from '../../core/input-refusals.ts';
import { refuse } from '../../core/refusal.ts';
import { choice, postForm } from '../frame.ts';
import { html, type Html } from '../../markup/html.ts';
import { badge, card, empty, moment, table, timeline } from '../blocks.ts';
import type { PageRequest } from '../routes.ts';
import { DECISION_WORDS, eventInWords, isTelling, ruleInWords } from './words.ts';

/** The session's operator, as the review module takes it. */
export function reviewerOf({ operatorId, workspaces }: OperatorSession): Reviewer {
  return { operatorId, workspaces };
}

/** A field for a note, which every act on a case needs. */
export function noteField(id: string): Html {
  return html`<p class="field"><label for="${id}">Internal note (required)</label>
<textarea id="${id}" name="note" rows="3" required maxlength="${NOTE_MAX}"></textarea></p>`;
}

/** The form of a decision. */
export function decisionForm(
  session: OperatorSession,
  action: string,
  version: number,
  decisions: readonly CaseDecision[],
  reasons: Readonly<Record<string, string>>,
  further: Html | null = null,
): Html {
  const choice = (one: CaseDecision): Html => html`<label><input type="radio" name="decision"
 value="${one}" required>${DECISION_WORDS[one]}</label>
`;
  const box = ([code, sentence]: readonly [string, string]): Html => html`<label><input
 type="checkbox" name="reason_${code}" value="on">${sentence}</label>
`;
  return postForm(
    session,
    action,
    html`<input type="hidden" name="version" value="${version}">
<fieldset><legend>Decision</legend>${decisions.map(choice)}</fieldset>
<fieldset><legend>Reasons sent to the applicant</legend>${Object.entries(reasons).map(box)}
</fieldset>
${further}${noteField('decision-note')}
<p><button>Decide</button></p>`,
  );
}

/** The chosen decision; unknown values are dropped. */
export function verdictOf(form: PageRequest['form']): Verdict {
  const named = DECISIONS.find((one) => one === form['decision']);
  const reasons = Object.keys(form)
    .filter((name) => name.startsWith('reason_') && form[name] === 'on')
    .map((name) => name.slice('reason_'.length));
  const day = form['document_expires'] ?? '';
  const dated = day === '' ? {} : { documentExpires: day };
  return { decision: named ?? ('' as CaseDecision), reasons, ...dated };
}

const PROPOSED = { accept: 'accept', deny: 'deny' } as const;

/** A decision that waits for a second operator, with the form to confirm it. */
export function proposalCard(
  session: OperatorSession,
  action: string,
  version: number,
  proposal: ProposalSeen,
  names: Names,
  reasons: Readonly<Record<string, string>>,
  decisions: Readonly<Record<string, string>> = PROPOSED,
): Html {
  const says = html`<p>${names(`operator:${proposal.operator}`)} proposed at
${moment(proposal.at)}: <strong>${decisions[proposal.decision]}</strong>.</p>
${proposal.reasons.map((code) => html`<p class="faint">${reasons[code] ?? code}</p>`)}`;
  const own = proposal.operator === session.operatorId;
  const form = postForm(
    session,
    action,
    html`<input type="hidden" name="version" value="${version}">
<fieldset><legend>Your decision</legend>
<label><input type="radio" name="word" value="confirm" required>Confirm; takes effect now</label>
<label><input type="radio" name="word" value="reject" required>Reject: the case stays open</label>
</fieldset>${noteField('second-note')}<p><button>Submit</button></p>`,
  );
  const wait = html`<p class="faint">Another person must confirm or reject this.</p>`;
  const may = !own && hasRight(session, 'confirm');
  return card('Second approval needed', html`${says}${may ? form : wait}`);
}

/** The form that opens data. */
export function revealForm(session: OperatorSession, action: string): Html {
  const listed = [['', 'Choose'] as const, ...Object.entries(REVEAL_REASONS)];
  const reasons = choice('Reason', 'reason', listed, { marks: html` required` });
  return postForm(
    session,
    action,
    html`<p>This data is masked. You can view it once; your name and reason are logged.</p>
${reasons}${noteField('open-note')}
<p><button>Show data</button></p>`,
  );
}

/** The chosen reason. Refuses an unknown one. */
export function revealReason(form: PageRequest['form']): RevealReason {
  const named = form['reason'] ?? '';
  if (Object.hasOwn(REVEAL_REASONS, named)) return named as RevealReason;
  throw refuse(inputRefusals.INVALID_FIELD, { reason: 'must be one of the listed values' });
}

/** Names of the actors in a history. */
export type Names = (actor: string) => string;

/** Who acted where it was no operator. */
const OTHERS: Readonly<Record<string, string>> = {
  client: 'the integrator',
  session: 'the person',
  user: 'the person',
  vendor: 'the identity vendor',
  processor: 'the card processor',
  system: 'the platform',
};

/** Finds the names of the operators among these actors. */
export async function namesOf(services: Services, actors: readonly string[]): Promise<Names> {
  const names = new Map<string, string>();
  const operators = [...new Set(actors)].filter((actor) => actor.startsWith('operator:'));
  for (const actor of operators) {
    const found = await findOperator(services, actor.slice('operator:'.length));
    names.set(actor, found?.name ?? actor);
  }
  return (actor) => {
    const [kind = actor] = actor.split(':', 1);
    return names.get(actor) ?? OTHERS[kind] ?? kind;
  };
}

/** The history of a case. */
export function historyCard(steps: readonly CaseStep[], names: Names): Html {
  const shown = steps.map(({ at, actor, machine, event, to_state }) => ({
    at,
    title: html`${eventInWords(event)} ${machine === 'review_proposal' ? null : badge(to_state)}`,
    detail: `by ${names(actor)}`,
  }));
  return card('History', timeline(shown));
}

/** Results of rules, those that call for a review first. */
export function rulesCard(rules: readonly string[]): Html {
  const sorted = [...rules.filter(isTelling), ...rules.filter((one) => !isTelling(one))];
  const shown = (rule: string): Html => badge(isTelling(rule) ? 'review' : 'passed');
  const rows = sorted.map((rule) => [shown(rule), ruleInWords(rule)]);
  const none = 'No rules were applied.';
  return card('Rules', table({ caption: 'Rules', head: ['Result', 'Rule'], rows, empty: none }));
}

/** Notes of colleagues, opened. */
export function notesCard(notes: readonly OpenedNote[], names: Names): Html {
  const shown = notes.toReversed().map(({ created, act, operator, text }) => ({
    at: created,
    title: `${names(`operator:${operator}`)}: ${act}`,
    detail: html`<span class="said">${text}</span>`,
  }));
  return card('Notes', timeline(shown));
}

/** A document that can be viewed once, or is only listed while data is masked. */
export interface ListedDocument {
  readonly id: string;
  readonly label: string;
  readonly mime: string;
}

/** Documents: listed, or viewable once each. */
export function documentsCard(
  path: string,
  documents: readonly ListedDocument[],
  tokens: ViewTokens | null,
): Html {
  const one = ({ id, label, mime }: ListedDocument): Html => {
    const token = tokens?.get(id);
    if (token === undefined) return html`<li>${label} <span class="faint">${mime}</span></li>`;
    const address = `${path}/documents/${id}?${new URLSearchParams({ token })}`;
    if (!mime.startsWith('image/')) return html`<li><a href="${address}">${label}</a></li>`;
    const alt = `${label}, as submitted`;
    return html`<li><figure><img src="${address}" alt="${alt}">
<figcaption>${label}</figcaption></figure></li>`;
  };
  const none = empty('No documents submitted.');
  return card('Documents', documents.length === 0 ? none : html`<ul>${documents.map(one)}</ul>`);
}

// Settles a check: the vendor's decision, the results of our own rules, and what both mean for the
// account. A late, repeated, reordered or contradictory answer changes nothing; a contradiction is
// kept for reviewers. [G-51, EV6]
import { EngineFault, type Command, type Decision } from '../../../engine/index.ts';
import type { CheckDecision, CheckOutcome } from '../../../providers/identity/port.ts';
import { matchesOfApplication, scoreOf } from '../matching/index.ts';
import { addHits, hitsOfSubject, type Hit } from '../screening/index.ts';
import { changeKyc, needKyc } from './change.ts';
import { checkMachine, type CheckState, type KycState } from './machine.ts';
import { knownReasons, type ReasonCode } from './reasons.ts';
import { MATCH_RULE, reasonsOfRules, vendorRules, WATCH_RULE, wantsReview } from './rules.ts';
import {
  identityCheckTable,
  kycApplicationTable,
  kycTable,
  watchedByKey,
  type IdentityCheckRow,
  type KycApplicationRow,
} from './tables.ts';

/** What the vendor reports about a check. */
export interface CheckAnswer {
  readonly checkId: string;
  readonly outcome: CheckOutcome;
  /** The match score from which an application is reviewed; null: a match alone is not. */
  readonly reviewFrom?: number | null;
  /** Entries of the watch-lists that the person resembles now. */
  readonly hits?: readonly Hit[];
  /** What the vendor has read of the person against what was stated, as results of rules. */
  readonly compared?: readonly string[];
}

const REFERENCE_MAX = 255;
const DONE = { status: 200, payload: null } as const;
const STATES = {
  accepted: ['decide', 'ACCEPT'],
  denied: ['decide', 'DENY'],
  review: ['decide', 'MANUAL_REVIEW'],
  incomplete: ['cancel', 'SYSTEM-CANCELLED'],
} as const satisfies Readonly<Record<CheckDecision['state'], readonly [string, KycState]>>;

/** Reasons where nobody gives one. A review without a reason asks nothing of the person. */
const UNSAID = {
  ACCEPT: [],
  DENY: ['NOT_VERIFIED'],
  MANUAL_REVIEW: [],
  'SYSTEM-CANCELLED': ['INFORMATION_INCOMPLETE'],
} as const satisfies Readonly<Record<string, readonly ReasonCode[]>>;

/** Records an answer about a check. */
export const settleCheck: Command<CheckAnswer> = {
  name: 'settle_check',
  highPriority: true,
  load(rows, { checkId }) {
    const check = rows.read(identityCheckTable, checkId);
    if (!check) return;
    rows.lock(identityCheckTable, checkId);
    needKyc(rows, check.account_id);
    const application = rows.read(kycApplicationTable, check.application_id);
    if (!application) return;
    rows.lock(kycApplicationTable, check.application_id);
    for (const key of watchKeys(application)) rows.find(watchedByKey, key);
    rows.find(matchesOfApplication, check.application_id);
    rows.find(hitsOfSubject, check.application_id);
  },
  decide(decision, answer) {
    const { checkId, outcome } = answer;
    const check = decision.get(identityCheckTable, checkId);
    if (check === null) throw new EngineFault('an answer names no check');
    switch (outcome.state) {
      case 'waiting':
      case 'pending':
        if (check.outcome === null && check.state !== outcome.state) {
          const on = outcome.state === 'waiting' ? 'sent_on' : 'taken';
          move(decision, check, on, outcome.state, outcome.reference);
        }
        return DONE;
      case 'absent':
      case 'unknown':
        return DONE;
      default:
        learn(decision, check, outcome, answer);
        return DONE;
    }
  },
};

function watchKeys({ watch_keys }: KycApplicationRow): string[] {
  return JSON.parse(watch_keys) as string[];
}

function move(
  decision: Decision,
  { id }: IdentityCheckRow,
  on: 'sent_on' | 'taken' | 'answered',
  to: CheckState,
  reference: string,
  patch: Partial<IdentityCheckRow> = {},
): void {
  const vendor_reference = reference.slice(0, REFERENCE_MAX);
  const whole = { vendor_reference, ...patch };
  decision.move(checkMachine, identityCheckTable, id, on, to, whole, patch);
}

function learn(
  decision: Decision,
  check: IdentityCheckRow,
  outcome: CheckDecision,
  { reviewFrom = null, hits = [], compared = [] }: CheckAnswer,
): void {
  if (check.state === 'ended' && check.outcome !== outcome.state) {
    const said = { outcome: outcome.state };
    const { id } = check;
    decision.move(checkMachine, identityCheckTable, id, 'contradicted', 'parked', {}, said);
  }
  if (check.outcome !== null) return;
  const application = decision.get(kycApplicationTable, check.application_id);
  if (application === null) throw new EngineFault('a check has no application');
  move(decision, check, 'answered', 'ended', outcome.reference, { outcome: outcome.state });
  const kyc = decision.get(kycTable, check.account_id);
  // The state has changed meanwhile: the vendor's outcome stays on the check alone.
  if (kyc?.state !== 'PROCESSING' || kyc.application_id !== application.id) return;
  const found = decision.find(hitsOfSubject, application.id);
  const listed = hits.length > 0 || found.some(({ state }) => state === 'open');
  addHits(decision, application, hits);
  const own = ownResults(decision, application, listed, reviewFrom);
  apply(decision, check, [...compared, ...own], outcome);
}

/** Results of our own rules, with watch-list hits and matches as of now. */
function ownResults(
  decision: Decision,
  application: KycApplicationRow,
  listed: boolean,
  reviewFrom: number | null,
): string[] {
  const watched = watchKeys(application).flatMap((key) => decision.find(watchedByKey, key));
  const isHit = listed || watched.length > 0;
  const own = JSON.parse(application.rules) as string[];
  own.push(`${WATCH_RULE}:${isHit ? 1 : 0}`);
  if (reviewFrom === null) return own;
  const matches = decision.find(matchesOfApplication, application.id);
  const constant = matches.some((match) => scoreOf(match) >= reviewFrom);
  return [...own, `${MATCH_RULE}:${constant ? 1 : 0}`];
}

function apply(
  decision: Decision,
  check: IdentityCheckRow,
  own: readonly string[],
  outcome: CheckDecision,
): void {
  const overruled = outcome.state === 'accepted' && wantsReview(own);
  const [on, to] = overruled ? STATES.review : STATES[outcome.state];
  const told = to === 'ACCEPT' ? [] : [...outcome.reasons, ...reasonsOfRules(own)];
  if (told.length === 0) told.push(...UNSAID[to]);
  changeKyc(decision, check.account_id, {
    on,
    to,
    application: {
      vendor_reference: outcome.reference.slice(0, REFERENCE_MAX),
      rules: JSON.stringify([...own, ...vendorRules(outcome.rules)]),
      reasons: JSON.stringify(knownReasons(told)),
    },
    documentExpires: outcome.documentExpires,
    detail: { check_id: check.id, outcome: outcome.state, ...(overruled ? { overruled } : {}) },
  });
}

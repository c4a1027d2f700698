// Answers to disputes at the processor simulator, under the caller's keys: each once, only until
// the deadline. What they say is read once and not stored.
import { play } from '../store/playing.ts';
import { chargeOf, declineOf } from './charges.ts';
import { call } from './endpoint.ts';
import { exchangeOf, LATE_MS, type Exchange } from './exchanges.ts';
import { ANSWER_BYTES_MAX, disputeBody, type DisputeAnswer, type DisputeBody } from './protocol.ts';
import { refusals } from './refusals.ts';
import { usualExchange } from './script.ts';
import { hash } from 'node:crypto';
import { prepared, sql, type Database } from '../../../db/index.ts';
import { canonicalJson } from '../../../core/json.ts';
import { purposeOf } from '../../../core/labels.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { noticeRequestOf } from './notice-rows.ts';
import { ANSWERED, happenLater } from './outside.ts';

/** Words in the text of an answer by which the bank decides, 15 seconds after it took it. */
const VERDICT_WORDS = {
  winning_evidence: 'dispute_won',
  losing_evidence: 'dispute_lost',
} as const;

/** An answer, as far as it may be stored. */
interface GivenAnswer {
  readonly workspace: number;
  readonly key: string;
  readonly charge: string;
  /** Of the dispute. */
  readonly reference: string;
  readonly digest: string;
  /** What the words in it lead to; null: somebody decides by an outside event. */
  readonly verdict: 'dispute_won' | 'dispute_lost' | null;
}

/** Reads an answer to its end; its files are used up. */
function readAnswer(
  keys: Keys,
  workspace: number,
  key: string,
  { reference, charge, texts, files }: DisputeBody,
): GivenAnswer {
  const digests = files.map(({ kind, mime, content }) => {
    if (typeof content === 'string') return [kind, mime, `sha256:${hash('sha256', content)}`];
    content.take();
    return [kind, mime, content.digest];
  });
  const whole = canonicalJson([keys.lineageOf(workspace), key, reference, charge, texts, digests]);
  const words = Object.entries(VERDICT_WORDS);
  const [, verdict = null] =
    words.find(([word]) => texts.some(({ text }) => text.includes(word))) ?? [];
  const digest = keys.mac(purposeOf('answerDigest'), whole);
  return { workspace, key, charge, reference, digest, verdict };
}

interface Stored {
  readonly digest: string;
  readonly reference: string;
  readonly state: 'accepted' | 'declined';
  readonly failure_code: string | null;
}

async function storedAt(
  db: Pick<Database, 'query'>,
  workspace: number,
  key: string,
): Promise<Stored | null> {
  const [row] = await db.query<Stored>(prepared('processor_answer_of')`
    select digest, reference, state, failure_code from processor_answer
    where workspace = ${workspace} and key = ${key}`);
  return row ?? null;
}

function shown(key: string, row: Stored | null): DisputeAnswer {
  if (row === null) return { state: 'absent', key };
  const { state, reference, failure_code: code } = row;
  if (state === 'accepted') return { state, key, reference };
  return { state, key, reference, code: code ?? '' };
}

/** Retrieves a key. */
async function lookAnswer(
  db: Database,
  workspace: number,
  key: string,
): Promise<DisputeAnswer> {
  return shown(key, await storedAt(db, workspace, key));
}

/** Takes an answer for review, or declines it; the first result under the key stays. */
async function takeAnswer(
  db: Database,
  given: GivenAnswer,
  exchange: Exchange,
): Promise<DisputeAnswer> {
  const { workspace, key, charge, reference, digest, verdict } = given;
  const seen = await db.transaction(async (tx) => {
    // Others with this key or about this charge wait here until this one is decided.
    await tx.query(sql`
      select from processor_charge where workspace = ${workspace} and key = ${charge}
        for no key update`);
    const before = await storedAt(tx, workspace, key);
    if (before !== null) return before;
    const values = [workspace, charge, ...noticeRequestOf(exchange, true), reference];
    const scripted = declineOf(exchange);
    const taken =
      scripted === null &&
      (await tx.execute({ name: 'processor_answered', text: ANSWERED, values })) === 1;
    const code = taken ? null : (scripted ?? 'generic_error');
    await tx.execute(prepared('processor_take_answer')`insert into processor_answer
        (workspace, key, charge, digest, reference, state, failure_code)
      values (${workspace}, ${key}, ${charge}, ${digest}, ${reference},
        ${taken ? 'accepted' : 'declined'}, ${code})`);
    if (taken && verdict !== null) await happenLater(tx, workspace, charge, verdict, LATE_MS);
    return storedAt(tx, workspace, key);
  });
  if (seen !== null && seen.digest !== digest) throw refuse(refusals.KEY_REUSED);
  return shown(key, seen);
}

const answerDispute = call({
  id: 'processorDispute',
  route: 'POST /v1/disputes/{key}',
  summary: 'Answers a dispute under the key, once; of the evidence only a digest is stored.',
  body: disputeBody,
  bodyLimit: ANSWER_BYTES_MAX,
  heavy: true,
  refusals: [refusals.KEY_REUSED],
  async run(services, { workspace, params: { key }, body, bodyDone }) {
    const { db, keys } = services;
    const given = readAnswer(keys, workspace, key, body);
    bodyDone?.();
    const token = (await chargeOf(db, workspace, given.charge))?.token ?? '';
    return play(services, 'processor', {
      ...{ workspace, key, operation: 'answer', token },
      usual: (turn) => usualExchange(turn, 'answer'),
      effect: (exchange) => takeAnswer(db, given, exchange),
    });
  },
});

const lookUp = call({
  id: 'processorLookDispute',
  route: 'GET /v1/disputes/{key}',
  summary: 'Retrieves the answer under the key; `absent` if there is none.',
  run(services, { workspace, params: { key } }) {
    const effect = () => lookAnswer(services.db, workspace, key);
    const asked = { workspace, key, operation: 'look_answer', token: null };
    return play(services, 'processor', { ...asked, usual: () => exchangeOf('honest'), effect });
  },
});

export const disputeOperations = [answerDispute, lookUp];

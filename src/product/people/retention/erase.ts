// Erases a person: the key is destroyed and everything that it opened is emptied in one
// transaction, with its history. Documents, tokens and the vendor's data follow in a job that is
// retried until nothing is left. Books and history stay whole. [PD3]
import { sql, type Database, type Queryable } from '../../../db/index.ts';
import { dueJobs, type Command, type Engine } from '../../../engine/index.ts';
import type { Random } from '../../../core/random.ts';
import { refuse } from '../../../core/refusal.ts';
import type { IdentityVendor } from '../../../providers/identity/port.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import {
  accountTable,
  barredUsername,
  eraseAccount,
  isErased,
  needAccountErasure,
  refusals as ofAccount,
} from '../account/index.ts';
import { audit } from '../../tell/audit/index.ts';
import {
  eraseBusiness,
  forgetEntityDocuments,
  needBusinessErasure,
} from '../business/index.ts';
import { eraseApplications, forgetDocuments, needApplicationErasure } from '../identity/index.ts';
import { forgetMatching } from '../matching/index.ts';
import { endAccess } from '../../access/oauth/index.ts';
import { forgetEvidence } from '../../money/evidence/index.ts';
import { forgetRefundNotes } from '../../money/refund/index.ts';
import { forgetNotes } from '../review/index.ts';
import { forgetImports } from '../../tenant/imports/index.ts';
import { eraseMethods, holdsMoney, needMethodErasure } from '../../money/wallet/index.ts';
import { refusals as no } from './refusals.ts';
import { erasureJobTable, legalHoldTable } from './tables.ts';
import { moneyUnderWay } from './under-way.ts';

export interface EraseParts {
  readonly db: Database;
  readonly engine: Engine;
  readonly keys: Keys;
  readonly random: Random;
}

export interface EraseRequest {
  readonly workspace: number;
  /** The account's UUID. */
  readonly account: string;
  /** A code such as `subject_request`, for history and audit; never personal data. */
  readonly reason: string;
  /** The actor in history. */
  readonly actor: string;
  /** True: only checks whether it could be done now. */
  readonly dry?: boolean;
}

interface EraseInput {
  readonly account: string;
  readonly barredKey: string;
  readonly blockId: string;
  readonly reason: string;
  readonly dry: boolean;
}

const DONE = { status: 200, payload: null } as const;
const BATCH = 20;
/** The pause before a vendor that has not confirmed its erasure is asked again. */
const RETRY = `interval '10 minutes'`;

const eraseAccountData: Command<EraseInput> = {
  name: 'erase_person',
  load(rows, { account }) {
    if (!rows.read(accountTable, account)) return;
    needAccountErasure(rows, account);
    rows.read(legalHoldTable, account);
    needApplicationErasure(rows, account);
    needBusinessErasure(rows, account);
    needMethodErasure(rows, account);
  },
  decide(decision, { account, barredKey, blockId, reason, dry }) {
    if (decision.get(accountTable, account) === null) throw refuse(ofAccount.ACCOUNT_NOT_FOUND);
    if (isErased(decision, account)) return DONE;
    if (decision.get(legalHoldTable, account) !== null) throw refuse(no.PERSON_HELD);
    if (holdsMoney(decision, account)) throw refuse(no.PERSON_HAS_BALANCE);
    if (dry) return DONE;
    eraseAccount(decision, account, { barredKey, blockId, reason });
    eraseApplications(decision, account);
    eraseBusiness(decision, account);
    eraseMethods(decision, account);
    decision.insert(erasureJobTable, { workspace: decision.workspace, id: account });
    return DONE;
  },
};

/**
 * Erases a person, and with them the account on which they were verified as the primary contact of
 * their business. Where one of the two must be kept, neither is erased.
 */
export async function erasePerson(parts: EraseParts, request: EraseRequest): Promise<void> {
  const rows = await parts.db.query<{ account: string }>(sql`
    select person_id as account from entity_agent
    where workspace = ${request.workspace} and account_id = ${request.account}
      and person_id <> $2`);
  const wishes = [...rows.map((row) => ({ ...request, ...row })), request];
  for (const one of wishes) await eraseOne(parts, { ...one, dry: true });
  if (request.dry !== true) for (const one of wishes) await eraseOne(parts, one);
}

/**
 * Erases one account; repeating changes nothing. Throws a Refusal for the operator while a hold, a
 * balance or money in progress prevents it. What is agreed at that very moment is still carried
 * out: it needs no personal data.
 */
async function eraseOne(parts: EraseParts, request: EraseRequest): Promise<void> {
  const { db, engine, keys, random } = parts;
  const { workspace, account, reason, actor, dry = false } = request;
  const [row] = await db.query<{ username_key: string }>(sql`
    select username_key from account where workspace = ${workspace} and id = ${account}`);
  if (row === undefined) throw refuse(ofAccount.ACCOUNT_NOT_FOUND);
  // The integrator bears a reversal, and a debt needs no personal data: neither prevents it.
  const open = (await moneyUnderWay(db, workspace, account)).filter(
    (kind) => kind !== 'reversal' && kind !== 'debt',
  );
  if (open.length > 0) throw refuse(no.PERSON_HAS_MONEY_UNDER_WAY);
  const barredKey = barredUsername(keys, workspace, row.username_key);
  const input = { account, barredKey, blockId: random.uuid(), reason, dry };
  await engine.run(eraseAccountData, input, { workspace, actor });
  if (!dry) await emptyRest(db, workspace, account);
}

/** Deletes documents, matches, notes, tokens and links: at once, and again in the job. */
async function emptyRest(db: Database, workspace: number, account: string): Promise<void> {
  await forgetDocuments(db, workspace, account);
  await forgetEntityDocuments(db, workspace, account);
  await forgetMatching(db, workspace, account);
  await endAccess(db, workspace, account);
  await forgetRefundNotes(db, workspace, account);
  await forgetEvidence(db, workspace, account);
  await forgetNotes(db, workspace, account);
  await forgetImports(db, workspace, account);
}

interface ErasureJob {
  readonly workspace: number;
  readonly id: string;
}

/** Finishes erasures that are due; gives how many are complete. Safe to interrupt anywhere. */
export async function finishErasures(db: Database, vendor: IdentityVendor): Promise<number> {
  const jobs = await db.query<ErasureJob>({
    name: 'due_erasures',
    text: `update erasure_job set due = $now + ${RETRY}
      where (workspace, id) in (${dueJobs('erasure_job', 'id', '$1')})
      returning workspace, id`,
    values: [BATCH],
  });
  let ended = 0;
  for (const { workspace, id } of jobs) {
    await emptyRest(db, workspace, id);
    if (!(await vendorForgets(db, vendor, workspace, id))) continue;
    await db.transaction(async (tx) => {
      const values = [workspace, id];
      const text = 'delete from erasure_job where workspace = $1 and id = $2';
      if ((await tx.execute({ text, values })) === 0) return;
      await audit(tx, { workspace, actor: 'system', act: 'person_erased', subject: id });
    });
    ended += 1;
  }
  return ended;
}

async function vendorForgets(
  db: Queryable,
  vendor: IdentityVendor,
  workspace: number,
  account: string,
): Promise<boolean> {
  const checks = await db.query<{ id: string }>({
    // A check that ended without a reference was never at a vendor.
    text: `select id from identity_check where workspace = $1 and account_id = $2
      and (outcome is null or vendor_reference <> '')`,
    values: [workspace, account],
  });
  for (const { id } of checks) {
    if (!(await vendor.forget(workspace, id))) return false;
  }
  return true;
}

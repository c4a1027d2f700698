// Changes of an operator's roles and access. What makes an administrator or takes one away needs
// two of them: one proposes it, and another, who depends in nothing on the first, confirms it.
import { sql, type Transaction } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import { audit } from '../../tell/audit/index.ts';
import { dependentOn } from './reach.ts';
import { rolesOf, roleNames, storedRoles, type Role } from './roles.ts';
import type { MakingServices } from './sealed.ts';
import { endSessionsOf, operatorActor, type OperatorSession } from './sessions.ts';
import { change, checkTogether, OperatorRefused } from './store.ts';

/** How an operator is, or is to be. */
interface Standing {
  readonly roles: readonly Role[];
  readonly disabled: boolean;
}

/** A change that waits for a second administrator. */
export interface Proposal extends Standing {
  readonly id: string;
  readonly operatorId: string;
  readonly proposedBy: string;
  readonly at: Instant;
}

/** Everybody who may administer now, locked against concurrent changes of each other. */
async function administrators(tx: Transaction): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from operator where 'operator' = any(roles) and disabled is null
     order by id for update`,
  );
  return rows.map(({ id }) => id);
}

const administers = ({ roles, disabled }: Standing): boolean =>
  roles.includes('operator') && !disabled;

/**
 * Changes another operator, or proposes it where it takes two administrators; says which. Throws
 * `OperatorRefused` with a sentence. [G-98]
 */
export async function changeOperator(
  services: MakingServices,
  session: OperatorSession,
  id: string,
  wish: Partial<Standing>,
): Promise<'changed' | 'proposed'> {
  if (id === session.operatorId) {
    throw new OperatorRefused('You cannot change yourself. Ask another administrator.');
  }
  const actor = operatorActor(session);
  return services.db.transaction(async (tx) => {
    await administrators(tx);
    const now = await standingOf(tx, id);
    const next = { ...now, ...wish };
    if (next.roles.length === 0) throw new OperatorRefused('Choose at least one role.');
    checkTogether(services, next.roles);
    if ((await openProposal(tx, id)) !== null) {
      throw new OperatorRefused('A change of this operator waits for a second administrator.');
    }
    if (administers(now) === administers(next)) {
      await apply(tx, { id, actor, now, next });
      return 'changed';
    }
    await tx.execute(sql`
      insert into operator_proposal (id, operator_id, roles, disabled, proposed_by)
      values (${services.random.uuid()}, ${id}, ${next.roles}, ${next.disabled},
        ${session.operatorId})`);
    const detail = { roles: next.roles.join(' '), disabled: next.disabled };
    await audit(tx, { workspace: 0, actor, act: 'operator_proposed', subject: id, detail });
    return 'proposed';
  });
}

/**
 * Confirms or rejects what waits for an operator. Throws `OperatorRefused` where it waits no more,
 * and for a confirmation by somebody who is not independent of who proposed it. Who proposed it is
 * another than the operator, and must still administer: so somebody always does. [G-98]
 */
export async function decideProposal(
  services: MakingServices,
  session: OperatorSession,
  id: string,
  decision: 'confirmed' | 'rejected',
): Promise<void> {
  const { operatorId } = session;
  const actor = operatorActor(session);
  await services.db.transaction(async (tx) => {
    const holders = await administrators(tx);
    const proposal = await openProposal(tx, id);
    if (proposal === null) throw new OperatorRefused('Nothing waits here any more.');
    if (decision === 'confirmed') await requireSecond(tx, proposal, operatorId, holders);
    await tx.execute(sql`
      update operator_proposal set decision = ${decision}, decided_by = ${operatorId},
        decided = $now
      where id = ${proposal.id}`);
    if (decision === 'rejected') {
      await audit(tx, { workspace: 0, actor, act: 'operator_rejected', subject: id });
      return;
    }
    checkTogether(services, proposal.roles);
    await apply(tx, { id, actor, now: await standingOf(tx, id), next: proposal });
  });
}

async function requireSecond(
  tx: Transaction,
  { proposedBy }: Proposal,
  second: string,
  holders: readonly string[],
): Promise<void> {
  if (second === proposedBy) {
    throw new OperatorRefused('Another administrator must confirm what you proposed.');
  }
  if ([second, proposedBy].some((one) => !holders.includes(one))) {
    throw new OperatorRefused('Both must be administrators. Reject it, and propose it again.');
  }
  if ((await dependentOn(tx, second)).includes(proposedBy)) {
    throw new OperatorRefused(
      'One of you invited or reset the other: another administrator must confirm.',
    );
  }
}

/** What waits for an operator; null for nothing. */
export async function proposalFor(
  { db }: Pick<MakingServices, 'db'>,
  id: string,
): Promise<Proposal | null> {
  return openProposal(db, id);
}

async function openProposal(tx: Pick<Transaction, 'query'>, id: string): Promise<Proposal | null> {
  const [row] = await tx.query<Proposal>(sql`
    select id, operator_id as "operatorId", roles, disabled, proposed_by as "proposedBy", at
    from operator_proposal where operator_id = ${id} and decision is null`);
  return row === undefined ? null : { ...row, roles: rolesOf(row.roles) };
}

async function standingOf(tx: Transaction, id: string): Promise<Standing> {
  const [row] = await tx.query<{ roles: string[]; disabled: boolean }>(sql`
    select roles || tasks as roles, disabled is not null as disabled from operator
    where id = ${id} for update`);
  if (row === undefined) throw new OperatorRefused('There is no such operator.');
  return { roles: rolesOf(row.roles), disabled: row.disabled };
}

interface Applied {
  readonly id: string;
  readonly actor: string;
  readonly now: Standing;
  readonly next: Standing;
}

async function apply(tx: Transaction, { id, actor, now, next }: Applied): Promise<void> {
  const detail = { roles: next.roles.join(' ') };
  if (roleNames(now.roles) !== roleNames(next.roles)) {
    const act = 'operator_roles_changed';
    await change(tx, { id, act, actor, detail }, 'roles = $2, tasks = $3', storedRoles(next.roles));
  }
  if (now.disabled === next.disabled) return;
  const act = next.disabled ? 'operator_disabled' : 'operator_enabled';
  const set = `disabled = ${next.disabled ? 'clock_timestamp()' : 'null'}`;
  await change(tx, { id, act, actor }, set);
  if (next.disabled) await endSessionsOf(tx, id);
}

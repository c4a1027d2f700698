// Invariants of the audit that `verify` checks: what must be in the chain is there, once, and the
// log agrees with the tables. The chain itself is recomputed in verify.ts. [ID7]
import { law, type Proof } from '../../../core/proof.ts';

/** SQL: which steps (`s`) are audited; the trigger `step_audited` has the same condition. */
export const AUDITED_STEP = `(
  s.machine not in ('invoice', 'escrow', 'deposit', 'attempt', 'transfer')
  or (s.machine in ('attempt', 'transfer')
    and (s.event in ('accept', 'give_back', 'retry') or s.actor ~ '^operator(:|$)')))`;

/** SQL: every audited act, and every place of one in the chain or before it. */
const ACTS = `(select s.workspace, s.resource_id as id, s.version, s.at from history s
    where ${AUDITED_STEP}
  union all select a.workspace, a.id, 0, a.at from audit_entry a)`;
const PLACES = `(select workspace, id, version, block from audit_line
  union all select workspace, id, version, null from audit_pending)`;

export const laws: readonly Proof[] = [
  law('audited_acts_are_covered',
    'Every audited step and entry is in exactly one block or still pending.',
    `select x.workspace || ' ' || x.id || ' v' || x.version as what from ${ACTS} x
      left join ${PLACES} p on p.workspace = x.workspace and p.id = x.id and p.version = x.version
      group by x.workspace, x.id, x.version having count(p.id) <> 1`),
  law('covered_acts_are_there', 'Everything in a block or pending is an audited step or entry.',
    `select p.workspace || ' ' || p.id || ' v' || p.version as what from ${PLACES} p
      left join ${ACTS} x on x.workspace = p.workspace and x.id = p.id and x.version = p.version
      where x.id is null`),
  law('lines_lie_in_blocks', 'Every audit row is in a block of its workspace.',
    `select distinct l.workspace || ' block ' || l.block as what from audit_line l
      left join audit_block b on b.workspace = l.workspace and b.number = l.block
      where b.number is null`),
  law('blocks_follow_their_rows',
    'No block is older than one of its rows or than the previous block.',
    `select b.workspace || ' block ' || b.number as what from audit_block b
      left join audit_block before on before.workspace = b.workspace
      and before.number = b.number - 1
      where b.at < before.at
      union all
      select l.workspace || ' block ' || l.block from audit_line l
      join audit_block b on b.workspace = l.workspace and b.number = l.block
      join ${ACTS} x on x.workspace = l.workspace and x.id = l.id and x.version = l.version
      where b.at < x.at`),
  law('identity_is_its_audit',
    'Replaying its audited steps gives the identity state of each account.',
    `select k.id::text as what from kyc k
      left join (select s.workspace, s.resource_id, count(*) as steps, min(s.version) as first,
          max(s.version) as last, (array_agg(s.to_state order by s.version desc))[1] as state
        from ${PLACES} p
        join history s
          on s.workspace = p.workspace and s.resource_id = p.id and s.version = p.version
          and s.machine = 'kyc'
        group by s.workspace, s.resource_id) f on f.workspace = k.workspace and f.resource_id = k.id
      where f.state is distinct from k.state or f.last <> k.version
        or f.first <> 1 or f.steps <> k.version`),
];

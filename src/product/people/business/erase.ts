// What erasing a person does to businesses: their own business loses everything stated, one that
// they are an agent of loses their name. States, roles and dates stay as history. [PD3]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import { agentOfPerson, agentTable, entityOfAccount, entityTable } from './tables.ts';

/** Locks what the erasure touches. */
export function needBusinessErasure(rows: ReadSet, account: string): void {
  for (const { id } of rows.find(entityOfAccount, account)) rows.lock(entityTable, id);
  for (const { id } of rows.find(agentOfPerson, account)) rows.lock(agentTable, id);
}

/** Empties the business of an account, and the agent that is this person. */
export function eraseBusiness(decision: Decision, account: string): void {
  for (const { id } of decision.find(entityOfAccount, account)) {
    decision.update(entityTable, id, { sealed: null, documents: '[]', tax_id_given: false });
  }
  for (const { id } of decision.find(agentOfPerson, account)) {
    decision.update(agentTable, id, { sealed: null, ownership: '' });
  }
}

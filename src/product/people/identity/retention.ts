// What of identity ends by itself: documents of applications that were denied or cancelled. [PD6]

const BATCH = 1_000;

/**
 * SQL: deletes up to a thousand applications' documents that no other or younger one names. `keeps`
 * is an interval by the workspace's clock, `unheld` a condition on the application `a`.
 */
export function endedDocuments(keeps: string, unheld: string): string {
  return `with ended as (
    select a.workspace, a.id from workspace w
    join kyc_application a on a.workspace = w.workspace
    where w.ended is null and a.documents <> '{}'
      and a.state in ('DENY', 'CANCEL', 'SYSTEM-CANCELLED')
      and a.updated < $now + w.clock_offset - interval '${keeps}'
      and ${unheld}
    limit ${BATCH}
  ), emptied as (
    update kyc_application a set documents = '{}' from ended e
    where a.workspace = e.workspace and a.id = e.id returning a.workspace, a.id, a.account_id
  )
  delete from kyc_document d using emptied e
  where d.workspace = e.workspace and d.account_id = e.account_id and not exists (
    select from kyc_application o where o.workspace = d.workspace and o.account_id = d.account_id
      and not exists (select from emptied x where x.workspace = o.workspace and x.id = o.id)
      and strpos(o.documents, d.id::text) > 0)`;
}

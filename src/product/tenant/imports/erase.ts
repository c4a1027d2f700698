// What erasing a person does to imports: the hash of each row goes, so that nobody can test a guess
// at what it said. The references stay, so that the row is not imported again. [PD3]
import { sql, type Queryable } from '../../../db/index.ts';

/** Empties what was kept of the rows of an account. */
export async function forgetImports(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<void> {
  await db.query(sql`update imported set fingerprint = ''
    where workspace = ${workspace} and account_id = ${account} and fingerprint <> ''`);
}

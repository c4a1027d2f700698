// The second role of the embedded PostgreSQL: the one that the server connects as, which owns
// nothing. Its password follows from the owner's, never the other way round.
import { hash } from 'node:crypto';
import { Database } from '../index.ts';

const ROLE = 'holdfast_server';

/** The URL of the server's role, from the owner's. */
export function serverUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = ROLE;
  url.password = hash('sha256', `${new URL(ownerUrl).password} ${ROLE}`);
  return url.href;
}

/** Makes the role in a cluster that does not have it yet. */
export async function makeServerRole(ownerUrl: string): Promise<void> {
  const owner = new Database({ url: ownerUrl, max: 1 });
  try {
    const { password } = new URL(serverUrl(ownerUrl));
    await owner.execute(`do $$ begin
      if not exists (select from pg_roles where rolname = '${ROLE}') then
        create role ${ROLE} login password '${password}';
      end if;
    end $$`);
  } finally {
    await owner.close();
  }
}

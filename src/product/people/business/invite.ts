// Whom a business that was submitted waits for, and the link by which each of them proves who they
// are. Mails read both. A link is made for the mail that carries it, and is stored nowhere. [G-55]
import { prepared, type Queryable } from '../../../db/index.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import type { Services } from '../../context.ts';
import { personLink } from './agent-link.ts';
import { entityById, openBusiness } from './read.ts';

type Parts = Pick<Services, 'db' | 'keys' | 'random' | 'urls' | 'word'>;

/** Accounts of the persons of a business whose identity is not confirmed; takes its wire id. */
export async function awaitedPeople(
  db: Queryable,
  workspace: number,
  wire: string,
): Promise<string[]> {
  const rows = await db.query<{ person_id: string }>(prepared('entity_awaited')`
    select a.person_id from entity e
    join entity_agent a on a.workspace = e.workspace and a.entity_id = e.id
    where e.workspace = ${workspace} and e.id = ${uuidOfWireId('ent', wire)}
      and a.state not in ('ACCEPT', 'INACTIVE')`);
  return rows.map(({ person_id }) => person_id);
}

/** The invitation of a person. */
export interface Invitation {
  /** The name of the business. */
  readonly business: string;
  readonly address: string;
}

/**
 * Makes the invitation of a person, with a link of its own; null where their business no longer
 * waits for them. The link belongs to the client that moved the business last.
 */
export async function invite(
  parts: Parts,
  workspace: number,
  person: string,
): Promise<Invitation | null> {
  const [row] = await parts.db.query<Waiting>(prepared('entity_invited')`
    select e.id, w.integrator, c.client_id as "clientId"
    from entity_agent a
    join entity e on e.workspace = a.workspace and e.id = a.entity_id
    join workspace w on w.workspace = a.workspace
    cross join lateral (select actor, version from history
      where workspace = e.workspace and resource_id = e.id offset 0) s
    join client c on c.workspace = e.workspace and not c.disabled
      and c.client_id::text = split_part(s.actor, ':', 2)
    where a.workspace = ${workspace} and a.person_id = ${person} and a.state not in ('ACCEPT',
      'INACTIVE')
      and e.state = 'PROCESSING'
    order by s.version desc limit 1`);
  const entity = row === undefined ? null : await entityById(parts.db, workspace, row.id);
  if (row === undefined || entity === null) return null;
  const { entity_name: business } = await openBusiness(parts, entity);
  const { clientId, integrator } = row;
  const link = await personLink(parts, { workspace, clientId, integrator }, person);
  return { business, address: link.redirect };
}

interface Waiting {
  readonly id: string;
  readonly integrator: string;
  readonly clientId: string;
}

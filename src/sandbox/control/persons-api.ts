// Sandbox calls about identity: the test persons, and what the vendor behind the sandbox decides
// later, or anew. Staging only. [G-64]
import { z } from 'zod';
import type { Queryable } from '../../db/index.ts';
import { uuidOfWireId } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import { strictObject, wireIdOf } from '../../core/schema.ts';
import { IDENTITY_EVENTS } from '../ports/persons.ts';
import type { DomainOperation } from '../../product/context.ts';
import { operation } from '../services.ts';
import { listTestPersons } from './lists.ts';
import { onceOutside } from './outside.ts';
import { refusals } from './refusals.ts';

const eventBody = strictObject({
  kyc_id: wireIdOf('kyc'),
  event: z.enum(IDENTITY_EVENTS).meta({ examples: ['deny'] }),
});

/** Our key at the vendor for the check of an application; null where there is none. */
async function checkOf(
  db: Queryable,
  workspace: number,
  application: string,
): Promise<string | null> {
  const rows = await db.query<{ key: string }>({
    name: 'sandbox_check_of',
    text: `select id::text as key from identity_check
      where workspace = $1 and application_id = $2`,
    values: [workspace, application],
  });
  return rows[0]?.key ?? null;
}

const happenToPerson = operation({
  id: 'sandboxIdentityEvent',
  route: 'POST invoicing /sandbox/identity_events',
  summary: 'Makes the identity vendor decide about a submitted application.',
  cites: 'G-64',
  access: { client: 'write_sandbox' },
  body: eventBody,
  answers: { 201: eventBody },
  refusals: [
    refusals.SANDBOX_PERSONS_ABSENT,
    refusals.IDENTITY_EVENT_REFUSED,
    refusals.VENDOR_UNAVAILABLE,
  ],
  stagingOnly: true,
  async run(services, { caller, body, idempotency }) {
    const { workspace } = caller;
    const { db, persons } = services;
    if (persons === null) throw refuse(refusals.SANDBOX_PERSONS_ABSENT);
    const { kyc_id, event } = body;
    return onceOutside(services, workspace, idempotency, async () => {
      const application = uuidOfWireId('kyc', kyc_id);
      const key = application === null ? null : await checkOf(db, workspace, application);
      const end = key === null ? 'refused' : await persons.happen(workspace, key, event);
      if (end === null) throw refuse(refusals.VENDOR_UNAVAILABLE, {}, 1);
      if (end === 'refused') throw refuse(refusals.IDENTITY_EVENT_REFUSED);
      return { kyc_id, event };
    });
  },
});

export const personOperations: readonly DomainOperation[] = [listTestPersons, happenToPerson];

// Turns sealed events into deliveries: one row for each enabled endpoint that subscribed to the
// event's name. Runs inside the sealing transaction, so that an event is sealed and queued, or
// neither. [EV1]
import { arrayValue, type Statement } from '../../../db/index.ts';

/** The part of a sealed event that decides who receives it. */
export interface SealedEvent {
  readonly workspace: number;
  readonly sequence: bigint;
  readonly name: string;
  readonly resource_id: string;
}

// The share lock makes a concurrent disabling of an endpoint wait for this transaction, so that its
// sweep of pending rows misses none. A conflict means that a replay came first; it must not stop
// sealing.
const FAN_OUT = `
  insert into delivery (workspace, endpoint_id, sequence, resource_id)
  select s.workspace, e.id, s.sequence, s.resource_id
  from unnest($1::integer[], $2::bigint[], $3::text[], $4::uuid[])
    as s(workspace, sequence, name, resource_id)
  join webhook_endpoint e on e.workspace = s.workspace
    and (e.events = '{}' or s.name collate "C" = any (e.events))
  where e.workspace = any ($1::integer[]) and e.state = 'enabled'
  for share of e
  on conflict do nothing`;

/** Queues deliveries of sealed events: one statement for any number of events and endpoints. */
export function fanOut(sealed: readonly SealedEvent[]): Statement {
  return {
    name: 'webhook_fan_out',
    text: FAN_OUT,
    values: [
      arrayValue('int4', sealed.map((event) => event.workspace)),
      arrayValue('int8', sealed.map((event) => event.sequence)),
      arrayValue('text', sealed.map((event) => event.name)),
      arrayValue('uuid', sealed.map((event) => event.resource_id)),
    ],
  };
}

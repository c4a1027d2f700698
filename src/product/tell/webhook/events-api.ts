// The operations of the event stream: the same events, in the same order and with the same content
// as they are delivered, for those who prefer to poll. [G-63]
import { isUuid } from '../../../core/ids.ts';
import { found, operation } from '../../context.ts';
import { requireEpoch } from './epoch.ts';
import { readEvent, readEvents } from './read.ts';
import { webhookRefusals as no } from './refusals.ts';
import { eventList, eventPath, eventRecord, eventsQuery } from './schema.ts';

const list = operation({
  id: 'listEvents',
  route: 'GET invoicing /v1/events',
  summary: 'Lists the events after a sequence number.',
  cites: 'G-63',
  access: { client: 'read_events' },
  query: eventsQuery,
  answers: { 200: eventList },
  refusals: [no.EVENTS_EPOCH_CHANGED],
  async run({ db, stream }, { caller: { workspace }, query }) {
    const after = Number(query.after ?? 0);
    const limit = Number(query.limit ?? 100);
    const [epoch, page] = await Promise.all([
      requireEpoch(db, workspace, { epoch: query.epoch, after }),
      readEvents(db, stream, workspace, after, limit),
    ]);
    return { status: 200, payload: { ...page, epoch } };
  },
});

const get = operation({
  id: 'getEvent',
  route: 'GET invoicing /v1/events/{event_id}',
  summary: 'Retrieves an event and all its delivery attempts.',
  cites: 'G-63',
  access: { client: 'read_events' },
  params: eventPath,
  answers: { 200: eventRecord },
  refusals: [no.EVENT_NOT_FOUND],
  async run(services, { caller, params }) {
    const { event_id: id } = params;
    const { db, stream } = services;
    const event = isUuid(id) ? await readEvent(db, stream, caller.workspace, id) : null;
    return found(event, no.EVENT_NOT_FOUND);
  },
});

export const eventOperations = [list, get];

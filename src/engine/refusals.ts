// The engine's own refusals: reused idempotency keys, overload, an unreachable database, locked
// rows.
import { defineRefusals, no, notYet } from '../core/refusal.ts';

export const engineRefusals = defineRefusals({
  IDEMPOTENCY_KEY_REUSED: no(422, 'caller', 'G-44',
    'This Idempotency-Key was already used for a different request.'),
  OVERLOADED: notYet(503, 'caller', 'reliability 4.4',
    'The service is overloaded; nothing was changed. Try again later.'),
  DATABASE_UNAVAILABLE: notYet(503, 'operator', 'G-11',
    'The database is temporarily unavailable; nothing was changed. Try again later.'),
  OUTCOME_UNKNOWN: notYet(503, 'caller', 'architecture rule 10',
    'The outcome is not known yet. Send the request again, with the same Idempotency-Key if any.'),
  WORLD_ENDED: notYet(503, 'caller', 'architecture 4',
    'This sandbox workspace was archived or replaced; nothing was changed. Try again.'),
  RESOURCE_BUSY: notYet(503, 'caller', 'architecture rule 3',
    'The resource is locked by another request; nothing was changed. Try again.'),
});

// The engine's own refusals: reused idempotency keys, overload, an unreachable database, locked
// rows.
import { defineRefusals } from '../core/refusal.ts';

export const engineRefusals = defineRefusals({
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    sentence: 'This Idempotency-Key was already used for a different request.',
    act: 'caller',
    retry: false,
    cites: 'G-44',
  },
  OVERLOADED: {
    status: 503,
    sentence: 'The service is overloaded; nothing was changed. Try again later.',
    act: 'caller',
    retry: true,
    cites: 'reliability 4.4',
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    sentence: 'The database is temporarily unavailable; nothing was changed. Try again later.',
    act: 'operator',
    retry: true,
    cites: 'G-11',
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    sentence:
      'The outcome is not known yet. Send the request again, with the same Idempotency-Key if any.',
    act: 'caller',
    retry: true,
    cites: 'architecture rule 10',
  },
  WORLD_ENDED: {
    status: 503,
    sentence: 'This sandbox workspace was archived or replaced; nothing was changed. Try again.',
    act: 'caller',
    retry: true,
    cites: 'architecture 4',
  },
  RESOURCE_BUSY: {
    status: 503,
    sentence: 'The resource is locked by another request; nothing was changed. Try again.',
    act: 'caller',
    retry: true,
    cites: 'architecture rule 3',
  },
});

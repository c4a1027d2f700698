// The engine's own refusals: reused idempotency keys, overload, an unreachable database, locked
// rows.
import { defineRefusals } from '../kernel/refusal.ts';

export const engineRefusals = defineRefusals({
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    sentence: 'This Idempotency-Key was used for another request.',
    act: 'caller',
    retry: false,
    cites: 'G-44',
  },
  OVERLOADED: {
    status: 503,
    sentence: 'The service has more work than it can do now; nothing was changed.',
    act: 'caller',
    retry: true,
    cites: 'reliability 4.4',
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    sentence: 'The database cannot do it now; nothing was changed.',
    act: 'operator',
    retry: true,
    cites: 'G-11',
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    sentence:
      'The outcome is not known yet; ask again, with the same Idempotency-Key if you sent one.',
    act: 'caller',
    retry: true,
    cites: 'architecture rule 10',
  },
  WORLD_ENDED: {
    status: 503,
    sentence: 'This state of the sandbox has ended; nothing was changed.',
    act: 'caller',
    retry: true,
    cites: 'architecture 4',
  },
  RESOURCE_BUSY: {
    status: 503,
    sentence: 'The resource is held by other work; nothing was changed.',
    act: 'caller',
    retry: true,
    cites: 'architecture rule 3',
  },
});

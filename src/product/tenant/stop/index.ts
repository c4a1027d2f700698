// Kill switches: what operators have stopped, and what follows from it.
export { Stops } from './stops.ts';
export {
  isStoppable,
  payoutsStopped,
  PROVIDER_STOPPED,
  providerStopped,
  refusals,
  requirePayouts,
  requireWrites,
  resume,
  stop,
  STOPPABLE,
  stopsNow,
} from './store.ts';
export type { Stop, Stoppable, StopTarget } from './store.ts';

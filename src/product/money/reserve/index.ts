// Reserves: a share of what sellers earn that is restricted for some days by the tenant's policy,
// and that covers their lost disputes before anybody owes or bears them. [G-93]
export {
  coverFromReserve,
  heldInReserve,
  lockReserve,
  releaseReserve,
  restrict,
} from './decide.ts';
export { dueOf } from './read.ts';
export { reserveTable } from './tables.ts';

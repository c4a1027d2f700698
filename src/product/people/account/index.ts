// Accounts: who is known to a tenant, under which username, and whether it is blocked. Personal
// fields are sealed, each person's under a key of its own. Accounts are created by registration.
export { changePerson } from './api.ts';
export { refusals } from './refusals.ts';
export { barMerged, followMerged, MERGED, needBlocks } from './block.ts';
export type { MergeStep } from './block.ts';
export { eraseAccount, isErased, needAccountErasure } from './erase.ts';
export { languageOf, rememberLanguage } from './language.ts';
export { accountNotFoundInBody, namesNoAccount } from './refusals.ts';
export { accountByUsername, accountPersonTable, accountTable } from './tables.ts';
export type { AccountRow } from './tables.ts';
export {
  barredUsername,
  ERASED,
  openSealer,
  sealPerson,
  usernameKey,
} from './person.ts';
export { PersonSealer } from './sealer.ts';
export {
  accountRecord,
  accountUuid,
  accountWithPerson,
  isAddress,
  personFields,
  registration,
} from './schema.ts';
export type { Registration } from './schema.ts';
export {
  accountIs,
  blocksOf,
  findAccount,
  findByUsername,
  openAccount,
  ownAccountOnly,
  sealerOf,
} from './read.ts';

// Registration creates accounts across account, identity and wallet. It stands above the three, so
// that none of them imports the others.
export { prepareRegistration } from './api.ts';
export { makeAccount } from './decide.ts';
export type { RegistrationInput } from './decide.ts';

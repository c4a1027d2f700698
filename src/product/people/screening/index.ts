// Screening: whom a watch-list may name. It owns the lists, the comparison of persons and
// businesses with their entries, the hits that operators decide about, and the runs after an
// import. What a hit means for an identity or a business is decided there. [G-51]
export { addHits, endHit, endHits, needHits } from './decide.ts';
export { dropList } from './drop.ts';
export type { Entry } from './entry.ts';
export { importList } from './import.ts';
export { findHits, findOrganizations } from './look-up.ts';
export type { Hit } from './look-up.ts';
export { keyAgain } from './rekey.ts';
export { advanceRun, claimRun, screeningStatus } from './run.ts';
export { hitsOfAccount, hitsOfSubject, hitTable } from './tables.ts';

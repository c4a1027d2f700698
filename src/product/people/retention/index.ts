// Retention and erasure: how long personal data stays readable, and under which master key. It owns
// key rotation without downtime, the erasure of persons, and the end of each class of data.
export { erasePerson, finishErasures } from './erase.ts';
export type { EraseRequest } from './erase.ts';
export { endHold, placeHold } from './hold.ts';
export { RETENTION } from './retention.ts';
export { countByVersion, dropVersion, prepareVersion, rotate, wrapVersions } from './rotation.ts';
export type { RotationParts } from './rotation.ts';
export { moneyUnderWay } from './under-way.ts';
export type { UnderWay } from './under-way.ts';

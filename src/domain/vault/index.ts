// The vault: how long personal data stays readable, and under which master key. Answers for
// rotation without a stop, for erasing a person, and for each class of data ending on the clock.
// Refuses to know what the data says.
export { erasePerson, finishErasures } from './erase.ts';
export type { EraseParts, EraseWish } from './erase.ts';
export { endHold, placeHold } from './hold.ts';
export type { HoldWish } from './hold.ts';
export { RETENTION } from './retention.ts';
export type { RetentionClass } from './retention.ts';
export { countByVersion, dropVersion, prepareVersion, rotate } from './rotation.ts';
export type { CountByVersion, Rotated, RotationParts } from './rotation.ts';
export { moneyUnderWay } from './under-way.ts';
export type { UnderWay } from './under-way.ts';

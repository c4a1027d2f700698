// The vault: how long personal data stays readable, and under which master key. Answers for
// rotation without a stop. Refuses to know what the data says.
export { countByVersion, dropVersion, prepareVersion, rotate } from './rotation.ts';
export type { CountByVersion, Rotated, RotationParts } from './rotation.ts';

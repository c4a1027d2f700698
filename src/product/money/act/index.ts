// Acts of operators on money: each runs an operation of the interface, once, with a reason, and
// from a limit on with a second person.
export { actsOn, again, askFor, proposeBalance, secondWord, takeBack } from './act.ts';
export { ACTS } from './acts.ts';
export type { MoneyAct } from './row.ts';
export { BALANCED } from './balance.ts';
export type { BalancedPair } from './balance.ts';
export { BALANCE } from './decide.ts';
export { isPossible, operationOf } from './perform.ts';
export type { ActingOperator, ActParts } from './perform.ts';
export { moneyAct, openActs } from './read.ts';
export type { SeenAct } from './read.ts';
export { digestOf, subjectKind, subjectOf } from './subject.ts';
export type { Subject } from './subject.ts';

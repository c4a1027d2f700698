// The sandbox's clock: a world's time goes on from due thing to due thing when a test says so, and
// whatever is under way in it follows. Not there in production. Refuses to know what becomes of
// what is due: the loops do that, whoever runs them.
export { operations } from './api.ts';
export { freeLeft } from './left.ts';
export { refusals } from './refusals.ts';

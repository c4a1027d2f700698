// Payout schedules: when an account's balance is paid out by the clock, and where to.
export { runSchedules } from './run.ts';

// How often people err and what relatives have in common, estimated on invented people.
// Made by `node scripts/run.mjs --dev bench/matching-em.ts`; weights.ts says what each means.
import type { Weights } from './weights.ts';

export const SHIPPED: Weights = {
  surname: {
    same: 0.834,
    form: 0.02,
    close: 0.0322,
    near: 0.00546,
    initial: 0.005,
    part: 0.0049,
    left: 0.03,
    differs: 0.0686,
  },
  forename: {
    same: 0.808,
    form: 0.05,
    close: 0.0343,
    near: 0.00987,
    initial: 0.03,
    part: 0.00552,
    left: 0.04,
    differs: 0.022,
  },
  birth: {
    same: 0.935,
    turned: 0.00711,
    close: 0.0235,
    near: 0.0103,
    differs: 0.0236,
  },
  tax: {
    same: 0.935,
    close: 0.0278,
    differs: 0.0371,
  },
  phone: {
    same: 0.645,
    close: 0.0237,
    differs: 0.331,
  },
  place: {
    same: 0.7,
    differs: 0.15,
  },
  householdSurname: {
    same: 0.755,
    close: 0.00228,
    part: 0.154,
    left: 0.00591,
    differs: 0.0831,
  },
  householdGiven: {
    same: 0.0001,
    close: 0.00102,
    part: 0.0486,
    left: 0.00743,
    differs: 0.943,
  },
  householdPhone: {
    same: 0.161,
    differs: 0.839,
  },
  twinGiven: {
    same: 0.0001,
    close: 0.0149,
    part: 0.2,
    left: 0.0297,
    differs: 0.756,
  },
  stored: {
    household: 0.13,
    twin: 0.00025,
    namesake: 0.0001,
  },
};

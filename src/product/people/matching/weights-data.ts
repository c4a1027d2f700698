// How often people err and what relatives have in common, estimated on invented people.
// Made by `node scripts/run.mjs --dev bench/matching-em.ts`; weights.ts says what each means.
import type { Weights } from './weights.ts';

export const SHIPPED: Weights = {
  surname: {
    same: 0.829,
    form: 0.02,
    close: 0.0317,
    near: 0.00538,
    initial: 0.005,
    part: 0.0126,
    left: 0.03,
    differs: 0.0668,
  },
  forename: {
    same: 0.809,
    form: 0.05,
    close: 0.0341,
    near: 0.00999,
    initial: 0.03,
    part: 0.00493,
    left: 0.04,
    differs: 0.0218,
  },
  birth: {
    same: 0.934,
    turned: 0.00712,
    close: 0.0236,
    near: 0.0103,
    differs: 0.0249,
  },
  tax: {
    same: 0.935,
    close: 0.0276,
    differs: 0.0377,
  },
  phone: {
    same: 0.64,
    close: 0.0235,
    differs: 0.336,
  },
  place: {
    same: 0.7,
    differs: 0.15,
  },
  householdSurname: {
    same: 0.541,
    close: 0.000481,
    part: 0.147,
    left: 0.0013,
    differs: 0.31,
  },
  householdGiven: {
    same: 0.0001,
    close: 0.000212,
    part: 0.0329,
    left: 0.0122,
    differs: 0.955,
  },
  householdPhone: {
    same: 0.142,
    differs: 0.858,
  },
  twinGiven: {
    same: 0.0001,
    close: 0.0139,
    part: 0.198,
    left: 0.0278,
    differs: 0.76,
  },
  stored: {
    household: 0.13,
    twin: 0.00043,
    namesake: 0.000667,
  },
};

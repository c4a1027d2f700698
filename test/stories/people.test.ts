// The story of people plays on this database as its committed page says: every test person of the
// sandbox, a payout that identity opens, and an erasure that leaves books and audit whole.
import { testPlayed } from './played.ts';

testPlayed('people.md', 120_000);

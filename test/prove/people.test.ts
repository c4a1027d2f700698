// The people story plays on this database as its committed page says: every test person, a payout
// that verification enables, and an erasure that leaves ledger and audit whole.
import { testPlayed } from '../stories/played.ts';

testPlayed('people.md', 120_000);

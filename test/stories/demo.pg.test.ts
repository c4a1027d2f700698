// The demo plays on this database as its committed page says, step by step.
import { testPlayed } from './played.ts';

testPlayed('demo.md', 60_000);

// The tests that need nothing opened, in one process: most take a millisecond, and a process of
// its own for each file takes longer than all of its tests.
import { unitFiles } from './kit/unit-files.ts';

for (const file of unitFiles()) await import(file);

// All planted defects.
import { callDefects } from './calls.ts';
import { coreDefects } from './core.ts';
import type { Defect } from './defect.ts';
import { engineDefects } from './engine.ts';
import { escrowDefects } from './escrow.ts';
import { ledgerDefects } from './ledger.ts';
import { machineDefects } from './machines.ts';

export const defects: readonly Defect[] = [
  ...callDefects,
  ...coreDefects,
  ...engineDefects,
  ...escrowDefects,
  ...ledgerDefects,
  ...machineDefects,
];

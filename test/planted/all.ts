// All planted defects.
import { coreDefects } from './core.ts';
import type { Defect } from './defect.ts';
import { engineDefects } from './engine.ts';
import { ledgerDefects } from './ledger.ts';
import { machineDefects } from './machines.ts';

export const defects: readonly Defect[] = [
  ...coreDefects,
  ...engineDefects,
  ...ledgerDefects,
  ...machineDefects,
];

// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { attemptMachine } from './attempt-machine.ts';
import { debtLaws } from './debt-read.ts';
import { messages } from './events.ts';
import { depositMachine } from './machine.ts';
import { refusals } from './refusals.ts';
import { transferMachine } from './transfer-machine.ts';

export const module: Module = {
  name: 'money/wallet',
  operations,
  machines: [depositMachine, attemptMachine, transferMachine],
  laws: debtLaws,
  messages,
  refusals,
};

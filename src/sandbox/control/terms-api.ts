// The sandbox call that turns on fees, availability dates and transfers to the bank at the
// processor behind the sandbox. From then on payouts wait for available money. Staging only. [G-64]
import { z } from 'zod';
import { refuse } from '../../core/refusal.ts';
import { optional, strictObject } from '../../core/schema.ts';
import type { DomainOperation } from '../../product/context.ts';
import { wakeStatements } from '../../product/money/reconciliation/index.ts';
import { openProcessorFunds } from '../../product/money/treasury/index.ts';
import { operation } from '../services.ts';
import { onceOutside } from './outside.ts';
import { refusals } from './refusals.ts';

const minor = z.int().min(0).max(1_000_000_000);

const terms = strictObject({
  fee_basis_points: z.int().min(0).max(10_000).meta({ examples: [290] }),
  fee_fixed: minor.meta({ examples: [30] }),
  dispute_fee: minor.meta({ examples: [1500] }),
  returns_dispute_fee: optional(z.boolean()).meta({
    description: 'Whether the dispute fee is returned if the dispute is won; default false.',
  }),
  monthly_fee: minor,
  delay_days: z.int().min(0).max(90).meta({ examples: [2] }),
  bank_above: optional(minor).meta({
    description: 'What is available above it goes to the bank at midnight; absent: nothing does.',
  }),
}).meta({ title: 'SandboxSettlementTerms' });

const setTerms = operation({
  id: 'sandboxSettlementTerms',
  route: 'POST invoicing /sandbox/settlement_terms',
  summary: 'Sets what the processor keeps of payments and when their money may be paid out.',
  cites: 'G-91',
  access: { client: 'write_sandbox' },
  body: terms,
  answers: { 201: terms },
  refusals: [refusals.SANDBOX_CARDS_ABSENT, refusals.PROCESSOR_UNAVAILABLE],
  stagingOnly: true,
  async run(services, { caller, body, idempotency }) {
    const { workspace } = caller;
    const { cards, db, engine, workspaces } = services;
    if (cards === null) throw refuse(refusals.SANDBOX_CARDS_ABSENT);
    // Before the terms: a payout that is sent under them finds the funds open.
    const currencies = await workspaces.currencies(workspace);
    await openProcessorFunds(engine, currencies.keys(), { workspace, actor: 'system' });
    return onceOutside(services, workspace, idempotency, async () => {
      const agreed = await cards.agree(workspace, body);
      if (!agreed) throw refuse(refusals.PROCESSOR_UNAVAILABLE, {}, 1);
      // What was captured before is booked now, as available at once.
      await wakeStatements(db, [workspace], 0);
      return body;
    });
  },
});

export const termsOperations: readonly DomainOperation[] = [setTerms];

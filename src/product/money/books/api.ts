// The operations on the books. They read what the ledger has, and change nothing. [G-99]
import { z } from 'zod';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { strictObject } from '../../../core/schema.ts';
import { operation, type DomainOperation, type Services } from '../../context.ts';
import { coverageIsPublished } from '../../tenant/settings/index.ts';
import { findWorkspace } from '../../tenant/tenant/index.ts';
import { coverageOf, coverageRecord } from './coverage.ts';
import { refusals as no } from './refusals.ts';
import { sumsOf } from './sums.ts';

const reads = { cites: 'G-99', access: { client: 'read_invoices' } } as const;

async function coverage({ db }: Services, workspace: number, integrator: string) {
  const payload = coverageOf(integrator, orTooLarge(await sumsOf(db, workspace)));
  return { status: 200, payload };
}

function orTooLarge<T>(read: T | null): T {
  if (read === null) throw refuse(no.BOOKS_TOO_LARGE);
  return read;
}

const getCoverage = operation({
  ...reads,
  id: 'getCoverage',
  route: 'GET invoicing /v1/coverage',
  summary: 'Retrieves what is held against open escrows and wallets, by currency.',
  answers: { 200: coverageRecord },
  refusals: [no.BOOKS_TOO_LARGE],
  run: (services, { caller }) => coverage(services, caller.workspace, caller.integrator),
});

const getPublishedCoverage = operation({
  id: 'getPublishedCoverage',
  route: 'GET invoicing /v1/coverage/{integrator}',
  summary: 'Retrieves the coverage of a tenant that publishes it; needs no token.',
  cites: 'G-99',
  access: 'public',
  params: strictObject({ integrator: z.string() }),
  answers: { 200: coverageRecord },
  refusals: [no.COVERAGE_NOT_FOUND, no.BOOKS_TOO_LARGE],
  async run(services, { params: { integrator } }) {
    const { db } = services;
    const workspace = isUuid(integrator) ? await findWorkspace(db, integrator) : null;
    if (workspace === null || !(await coverageIsPublished(db, workspace))) {
      throw refuse(no.COVERAGE_NOT_FOUND);
    }
    return coverage(services, workspace, integrator);
  },
});

export const operations: readonly DomainOperation[] = [getCoverage, getPublishedCoverage];

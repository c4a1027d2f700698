// The operations that move a part of an escrow, or change its dates. [G-94, G-95]
import { z } from 'zod';
import type { Command } from '../../../engine/index.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import { strictObject } from '../../../core/schema.ts';
import { accountListed, operation, submit, type Sender, type Services } from '../../context.ts';
import { visibilityOf } from '../invoice/index.ts';
import type { EscrowInput } from './decide.ts';
import { deliverEscrow } from './deliver.ts';
import { refusals as no } from './refusals.ts';
import { releaseEscrow, returnEscrow } from './release.ts';
import { deliveryBody, escrowRecord, releaseBody, returnBody, scheduleBody } from './schema.ts';
import { scheduleEscrow } from './schedule.ts';

export const escrowPath = strictObject({ escrow_id: z.string() });

/** The request of an operation on an escrow. */
export interface Move extends Sender {
  readonly params: { readonly escrow_id: string };
}

/** Submits a command about the escrow of a request. */
export function run<M extends object>(
  services: Services,
  command: Command<EscrowInput & M>,
  move: Move,
  more: M,
) {
  const escrowId = uuidOfWireId('esc', move.params.escrow_id);
  const { integrator } = move.caller;
  const visibility = visibilityOf(move.caller);
  return submit(services, move, command, { escrowId, integrator, visibility, ...more });
}

/** Why held money cannot be moved. */
export const moveRefusals = [no.ESCROW_NOT_ESCROWED, no.ESCROW_DISPUTED];

/** As for a commit: what becomes of held money is the tenant's decision. */
const common = {
  highPriority: true,
  access: { client: 'write_invoices' },
  params: escrowPath,
  answers: { 200: escrowRecord },
} as const;
const partRefusals = [
  no.ESCROW_NOT_FOUND,
  ...moveRefusals,
  no.ESCROW_PARTS_LIMIT,
  no.ESCROW_LINE_NOT_FOUND,
  no.ESCROW_LINE_REPEATED,
  no.ESCROW_PART_TOO_LARGE,
];

/** The account of a session, '' for one of a checkout; null for the tenant. */
const personOf = ({ caller }: Move): string | null => accountListed(caller, undefined) ?? null;

const release = operation({
  ...common,
  // A buyer's session only where the tenant made its link with this scope.
  access: { client: 'write_invoices', session: 'release_escrow' },
  id: 'releaseEscrow',
  route: 'POST invoicing /v2/escrow/{escrow_id}/release',
  summary: 'Pays a part of the held money, or a milestone, to sellers and integrator.',
  cites: 'G-94',
  body: releaseBody,
  refusals: [...partRefusals, no.ESCROW_MILESTONE_NOT_FOUND, no.ESCROW_MILESTONE_RELEASED],
  run: (services, request) => {
    return run(services, releaseEscrow, request, {
      wish: request.body,
      buyer: personOf(request),
    });
  },
});

const giveBack = operation({
  ...common,
  id: 'returnEscrow',
  route: 'POST invoicing /v2/escrow/{escrow_id}/return',
  summary: 'Returns a part of the held money to the payment methods that were charged.',
  cites: 'G-94',
  body: returnBody,
  refusals: partRefusals,
  run: (services, request) => run(services, returnEscrow, request, { wish: request.body }),
});

const schedule = operation({
  ...common,
  id: 'scheduleEscrow',
  route: 'POST invoicing /v2/escrow/{escrow_id}/schedule',
  summary: 'Sets, moves or takes away dates of an escrow that holds money.',
  cites: 'G-95',
  body: scheduleBody,
  refusals: [
    no.ESCROW_NOT_FOUND,
    ...moveRefusals,
    no.ESCROW_MILESTONE_NOT_FOUND,
    no.ESCROW_MILESTONE_RELEASED,
    no.ESCROW_DATE_PASSED,
    no.ESCROW_DATE_TOO_LATE,
    no.ESCROW_DATES_CONFLICT,
    no.ESCROW_MILESTONE_REPEATED,
  ],
  run: (services, request) => run(services, scheduleEscrow, request, { wish: request.body }),
});

const deliver = operation({
  ...common,
  id: 'deliverEscrow',
  route: 'POST invoicing /v2/escrow/{escrow_id}/delivered',
  summary: 'Records that a milestone or all was delivered; no money moves.',
  cites: 'G-95',
  access: { client: 'write_invoices', session: 'deliver_escrow' },
  body: deliveryBody,
  refusals: [
    no.ESCROW_NOT_FOUND,
    ...moveRefusals,
    no.ESCROW_MILESTONE_NOT_FOUND,
    no.ESCROW_MILESTONE_RELEASED,
    no.ESCROW_DELIVERED,
  ],
  run: (services, request) => run(services, deliverEscrow, request, {
    milestone: request.body.milestone,
    seller: personOf(request),
  }),
});

export const parts = [release, giveBack, schedule, deliver];

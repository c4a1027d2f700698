// The escrow record and the bodies of an escrow: the one place where their wire fields are spelled.
// [seed: Escrow transaction]
import { z } from 'zod';
import { formsBy } from '../../../core/forms.ts';
import { accountId, wireId } from '../../../core/ids.ts';
import {
  list,
  name,
  optional,
  positiveAmount,
  reference,
  strictObject,
  textThat,
} from '../../../core/schema.ts';
import { escrowTime, isInstant, type Instant } from '../../../core/time.ts';
import { creationForms } from '../invoice/index.ts';
import { courseOf, movedBy, isReleased, OUTCOMES, sumOf, takenOf, type Course } from './course.ts';
import { escrowMachine, type EscrowState } from './machine.ts';
import { invoiceOf } from './tables.ts';

const MOST_MILESTONES = 20;

const MOMENT = {
  maxLength: 27,
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$`,
};
const moment = () =>
  textThat(isInstant, 'must be a time as YYYY-MM-DDTHH:MM:SS.ffffffZ').meta(MOMENT);

const milestoneBody = strictObject({
  name: name(64),
  amount: optional(positiveAmount()).meta({
    description: 'Minor units, shared among the line items in proportion to their amounts.',
  }),
  line_items: optional(
    list(
      strictObject({
        line_item: z.int().min(0).max(10_000).meta({ description: 'Its place, from 0.' }),
        amount: positiveAmount(),
      }),
    ).min(1),
  ),
  release_at: optional(moment()),
})
  .refine((one) => (one.amount === undefined) !== (one.line_items === undefined), {
    path: ['amount'],
    message: 'or line_items is needed, not both',
  })
  .meta({ title: 'MilestoneWish' });

const planFields = {
  release_at: optional(moment()).meta({ description: 'All that is held is committed then.' }),
  return_at: optional(moment()).meta({ description: 'All that is held is returned then.' }),
  default_outcome: optional(z.enum(OUTCOMES)).meta({
    description: 'What happens at the holding limit. Absent: cancel.',
    examples: ['commit'],
  }),
  milestones: optional(list(milestoneBody).max(MOST_MILESTONES)),
};

/** The fields of a plan. */
export const PLANNED = Object.keys(planFields) as (keyof typeof planFields)[];

/** Body of a creation: a sale, or an authorized one, with its dates and milestones. [G-95] */
export const escrowBody = formsBy(
  'authorized_invoice_id',
  creationForms.sale.extend(planFields).meta({ title: 'EscrowSale' }),
  creationForms.authorized.extend(planFields).meta({ title: 'AuthorizedEscrowSale' }),
);

const partLine = strictObject({
  line_item_id: z.string().max(36),
  amount: optional(positiveAmount()).meta({ description: 'Absent: all that is held of it.' }),
});
const lineItems = { line_items: list(partLine).min(1) };

/** What to release: parts of line items, or a milestone. [G-94, G-95] */
export const releaseBody = formsBy(
  'milestone',
  strictObject(lineItems).meta({ title: 'PartOfEscrow' }),
  strictObject({ milestone: reference(64) }).meta({ title: 'MilestoneOfEscrow' }),
);
/** What to return. */
export const returnBody = strictObject(lineItems).meta({ title: 'PartOfEscrow' });

/** Dates to change; null takes one away. */
export const scheduleBody = strictObject({
  release_at: moment().nullable().optional().meta({ examples: [null] }),
  return_at: moment().nullable().optional(),
  milestones: optional(
    list(strictObject({ name: reference(64), release_at: moment().nullable() })),
  ),
}).meta({ title: 'Schedule' });

/** What was delivered: a milestone, or without a name all of it. */
export const deliveryBody = strictObject({ milestone: optional(reference(64)) }).meta({
  title: 'DeliveryReport',
  examples: [{}],
});

const deliveryRecord = strictObject({
  milestone: z.string().optional(),
  account_id: z.string().optional().meta({ description: 'The seller who said it.' }),
  created: z.string(),
}).meta({ title: 'Delivery' });

const movementRecord = strictObject({
  kind: z.enum(['release', 'keep', 'return']).meta({
    description: 'To sellers and integrator, to the integrator alone, or to the buyer.',
  }),
  amount: z.int(),
  invoice_id: z.string(),
  milestone: z.string().optional(),
  created: z.string(),
}).meta({ title: 'EscrowMovement' });

const milestoneRecord = strictObject({
  name: z.string(),
  amount: z.int(),
  status: z.enum(['pending', 'released']),
  release_at: z.string().optional(),
}).meta({ title: 'Milestone' });

/** What the record of an escrow with dates, milestones or parts has besides. */
const courseFields = {
  released_amount: z.int(),
  returned_amount: z.int(),
  held_amount: z.int().meta({ description: 'What disputes took is not held.' }),
  movements: z.array(movementRecord),
  milestones: z.array(milestoneRecord),
  deliveries: z.array(deliveryRecord),
  default_outcome: z.enum(OUTCOMES),
  release_at: z.string(),
  return_at: z.string(),
  holding_ends: z.string(),
};

/** The escrow in answers and events. */
export const escrowRecord = strictObject({
  id: z.string(),
  account_id: z.string(),
  escrow_invoice_id: z.string(),
  commit_invoice_id: z.string(),
  cancel_invoice_id: z.string(),
  status: z.enum(escrowMachine.states),
  integrator: z.string().optional(),
  created: z.string(),
  updated: z.string(),
  ...strictObject(courseFields).partial().shape,
}).meta({ title: 'Escrow' });
export type EscrowRecord = z.output<typeof escrowRecord>;

/** What of an escrow goes on the wire, at one moment. */
export interface EscrowMoment {
  readonly id: string;
  readonly account_id: string;
  readonly state: EscrowState;
  readonly created: Instant;
  readonly updated: Instant;
  /** JSON of its course, or null. */
  readonly course: string | null;
}

/**
 * Renders the wire record; `integrator` is absent while the escrow is open, ids of missing invoices
 * are ''. Dates, milestones and parts are there only where the escrow has any. [G-94]
 */
export function renderEscrow(row: EscrowMoment, integrator: string): EscrowRecord {
  const { state } = row;
  const course = courseOf(row);
  return {
    id: wireId('esc', row.id),
    account_id: accountId(row.account_id),
    escrow_invoice_id: invoiceOf(row.id, 'escrow'),
    commit_invoice_id: state === 'COMMITTED' ? invoiceOf(row.id, 'commit') : '',
    cancel_invoice_id: state === 'CANCELLED' ? invoiceOf(row.id, 'cancel') : '',
    status: state,
    ...(state === 'OPEN' ? {} : { integrator }),
    created: escrowTime(row.created),
    updated: escrowTime(row.updated),
    ...(course && ofCourse(row, course)),
  };
}

function ofCourse({ id, state }: EscrowMoment, course: Course): Partial<EscrowRecord> {
  const { parts, milestones, outcome, total, release, return: back, limit } = course;
  const { released, returned } = movedBy(course);
  const held = state === 'ESCROWED' ? total - released - returned - takenOf(course) : 0;
  const dates = { release_at: release, return_at: back, holding_ends: limit };
  const known = Object.entries(dates).flatMap(([field, date]) => {
    return date === undefined ? [] : [[field, escrowTime(date.at)] as const];
  });
  return {
    ...{ released_amount: released, returned_amount: returned, held_amount: held },
    movements: parts.map(({ on, at, lines, milestone }, n) => ({
      kind: on,
      amount: sumOf(lines),
      invoice_id: movementInvoice(id, state, n, parts.length),
      ...(milestone !== undefined && { milestone }),
      created: escrowTime(at),
    })),
    milestones: milestones.map(({ name: called, lines, date }) => ({
      name: called,
      amount: sumOf(lines),
      status: isReleased(course, called) ? 'released' : 'pending',
      ...(date && { release_at: escrowTime(date.at) }),
    })),
    ...(course.deliveries && {
      deliveries: course.deliveries.map(({ milestone, seller, at }) => ({
        ...(milestone !== undefined && { milestone }),
        ...(seller !== undefined && { account_id: seller }),
        created: escrowTime(at),
      })),
    }),
    default_outcome: outcome,
    ...Object.fromEntries(known),
  };
}

/** The id of the invoice of movement `n` of `count`: the last one of an ended escrow ended it. */
export function movementInvoice(
  id: string,
  state: EscrowState,
  n: number,
  count: number,
): string {
  if (n < count - 1 || state === 'ESCROWED') return invoiceOf(id, n);
  return invoiceOf(id, state === 'COMMITTED' ? 'commit' : 'cancel');
}

/** The ids of the invoices that an escrow may have. */
export function invoicesOf(id: string, course: string | null): readonly string[] {
  const parts = courseOf({ course })?.parts ?? [];
  const ends = (['escrow', 'commit', 'cancel'] as const).map((part) => invoiceOf(id, part));
  return [...ends, ...parts.map((_, at) => invoiceOf(id, at))];
}

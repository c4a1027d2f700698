// Answers to disputes at Stripe: files are uploaded first, then all evidence is submitted by one
// call, which Stripe takes once. What a dispute says of itself shows whether our key did. [G-93]
import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import type { AnswerOrder, AnswerOutcome, EvidenceKind, Processor } from '../processor/port.ts';
import { isTrouble, underKey, unknownOf, type StripeLink, type Trouble } from './connection.ts';
import { KEY } from './intents.ts';

type Answers = Pick<Processor, 'answerDispute' | 'retrieveAnswer'>;
type Evidence = Stripe.DisputeUpdateParams.Evidence;
type Place = Exclude<keyof Evidence, 'appeal' | 'enhanced_evidence'>;

const UNKNOWN = { state: 'unknown' } as const;
/** What the submitted evidence was, in Stripe's metadata beside our key. */
const DIGEST = 'holdfast_evidence';

/** Where a text goes; one of any other kind is told in words of its own. */
const TEXTS: Partial<Readonly<Record<EvidenceKind, Place>>> = {
  product_description: 'product_description',
  refund_policy: 'refund_policy_disclosure',
  shipping_tracking: 'shipping_tracking_number',
};
/** Where a file goes: each place takes one. */
const FILES: Partial<Readonly<Record<EvidenceKind, Place>>> = {
  customer_communication: 'customer_communication',
  receipt: 'receipt',
  refund_policy: 'refund_policy',
  service_documentation: 'service_documentation',
  shipping_documentation: 'shipping_documentation',
};
/** Where files go that have no place of their own, or whose place is taken. */
const FREE: readonly Place[] = [
  ...(['uncategorized_file', 'service_documentation', 'customer_communication'] as const),
  ...(['shipping_documentation', 'receipt', 'refund_policy'] as const),
];
const ENDINGS = { 'image/jpeg': 'jpg', 'image/png': 'png', 'application/pdf': 'pdf' } as const;

export function answersOf(link: StripeLink): Answers {
  return {
    async answerDispute(order) {
      const seen = await readDispute(link, order.reference);
      if (isTrouble(seen)) {
        return seen.trouble === 'missing' ? declined(order) : unknownOf(seen);
      }
      const said = saidBy(seen, order);
      if (said.state === 'accepted') {
        return seen.metadata[DIGEST] === digestOf(order) ? said : UNKNOWN;
      }
      const { id, metadata } = seen.charge as Stripe.Charge;
      const isOf = (metadata[KEY] ?? id) === order.charge;
      return said.state === 'absent' && isOf ? submit(link, order) : declined(order);
    },
    async retrieveAnswer(order) {
      const seen = await readDispute(link, order.reference);
      if (!isTrouble(seen)) return saidBy(seen, order);
      return seen.trouble === 'missing' ? { state: 'absent' } : unknownOf(seen);
    },
  };
}

function readDispute(
  { stripe, tried }: StripeLink,
  reference: string,
): Promise<Stripe.Dispute | Trouble> {
  return tried(() => stripe.disputes.retrieve(reference, { expand: ['charge'] }));
}

/** What a dispute says about a key. Once another answer was submitted, none of ours can be. */
function saidBy(
  { id, metadata, status }: Stripe.Dispute,
  order: Pick<AnswerOrder, 'key' | 'reference'>,
): Exclude<AnswerOutcome, { readonly state: 'unknown' }> {
  if (metadata[KEY] === order.key) return { state: 'accepted', reference: id };
  return status === 'needs_response' ? { state: 'absent' } : declined(order);
}

async function submit(link: StripeLink, order: AnswerOrder): Promise<AnswerOutcome> {
  const { stripe, tried } = link;
  const places = placesOf(order);
  if (places === null) return { ...declined(order), code: 'limit_exceeded' };
  const evidence = textsOf(order);
  for (const [at, place] of places.entries()) {
    const file = await upload(link, order, at);
    if (isTrouble(file)) return refusedOr(order, file);
    evidence[place] = file.id;
  }
  const metadata = { [KEY]: order.key, [DIGEST]: digestOf(order) };
  const request = { evidence, metadata, submit: true };
  const sent = await underKey(order.key, (idempotencyKey) =>
    tried(() => stripe.disputes.update(order.reference, request, { idempotencyKey })),
  );
  return isTrouble(sent) ? refusedOr(order, sent) : { state: 'accepted', reference: sent.id };
}

function upload(
  { stripe, tried }: StripeLink,
  { key, files }: AnswerOrder,
  at: number,
): Promise<Stripe.File | Trouble> {
  const { kind, mime: type, bytes: data } = files[at] as AnswerOrder['files'][number];
  const file = { data, name: `${kind}-${at + 1}.${ENDINGS[type]}`, type };
  return underKey(`${key}-file-${at + 1}`, (idempotencyKey) =>
    tried(() => stripe.files.create({ purpose: 'dispute_evidence', file }, { idempotencyKey })),
  );
}

/** A place for each file; null where there are more files than places. */
function placesOf({ files }: AnswerOrder): Place[] | null {
  const taken = new Set<string>();
  const places: Place[] = [];
  for (const { kind } of files) {
    const own = FILES[kind];
    const place = [...(own === undefined ? [] : [own]), ...FREE].find((one) => !taken.has(one));
    if (place === undefined) return null;
    taken.add(place);
    places.push(place);
  }
  return places;
}

function textsOf({ texts }: AnswerOrder): Partial<Record<Place, string>> {
  const said: Partial<Record<Place, string>> = {};
  for (const { kind, text } of texts) {
    const place = TEXTS[kind] ?? 'uncategorized_text';
    const words = TEXTS[kind] === undefined ? `${kind.replaceAll('_', ' ')}: ${text}` : text;
    said[place] = said[place] === undefined ? words : `${said[place]}\n\n${words}`;
  }
  return said;
}

function digestOf({ texts, files }: AnswerOrder): string {
  const sizes = files.map(({ kind, bytes }) => [kind, bytes.length]);
  const hash = createHash('sha256').update(JSON.stringify([texts, sizes]));
  for (const { bytes } of files) hash.update(bytes);
  return hash.digest('hex');
}

function refusedOr(order: AnswerOrder, trouble: Trouble): AnswerOutcome {
  const final = ['no', 'missing', 'state'].includes(trouble.trouble);
  return final ? declined(order) : unknownOf(trouble);
}

function declined({ reference }: Pick<AnswerOrder, 'reference'>) {
  return { state: 'declined', reference, code: 'generic_error' } as const;
}

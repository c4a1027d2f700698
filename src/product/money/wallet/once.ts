// Paying once on the processor's page, with nothing saved: a payment method for each kind, made
// when a buyer first chooses it. It is not listed, renamed or removed, and receives nothing. What
// the processor offers, an authorized invoice says; anything else is declined. [G-47]
import { z } from 'zod';
import { derivedUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { strictObject, wireIdOf } from '../../../core/schema.ts';
import type { Command } from '../../../engine/index.ts';
import { ONCE_KINDS, onceToken, type OnceKind } from '../../../providers/processor/port.ts';
import {
  accountNotFoundInBody,
  accountTable,
  ownAccountOnly,
  refusals as account,
} from '../../people/account/index.ts';
import { refusals as terms, requireSignedTerms } from '../../people/terms/index.ts';
import { operation, submit, type DomainOperation, type Services } from '../../context.ts';
import { shownCurrency } from './method.ts';
import { paymentMethod, paymentMethodRecord } from './schema.ts';
import { NO_CARD, paymentMethodTable, type PaymentMethodRow } from './tables.ts';

const SHOWN: Readonly<Record<OnceKind, string>> = {
  card: 'Card, not saved',
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
};
/** What a login at a bank pays in; a card pays any enabled currency. */
const EURO = 'EUR';

/** True where a way to pay once pays in a currency. */
export function paysIn(kind: string, currency: string): boolean {
  return kind === 'card' || currency === EURO;
}

/** How the buyers of a workspace can pay once in a currency. */
export async function onceKindsFor(
  { processor }: Pick<Services, 'processor'>,
  workspace: number,
  currency: string,
): Promise<readonly OnceKind[]> {
  const kinds = await processor.onceKinds(workspace);
  return kinds.filter((kind) => paysIn(kind, currency));
}

interface OnceInput {
  /** UUID of the buyer. */
  readonly owner: string;
  readonly kind: OnceKind;
  readonly currency: string;
  readonly integrator: string;
}

const idOf = ({ owner, kind }: OnceInput): string => derivedUuid(`once/${owner}/${kind}`);

/** Makes the account's way to pay once, or gives the one it has. Answers 201 with its record. */
export const makeOnce: Command<OnceInput> = {
  name: 'make_once',
  load(rows, input) {
    rows.read(accountTable, input.owner);
    rows.read(paymentMethodTable, idOf(input));
  },
  decide(decision, input) {
    const { owner, kind, currency, integrator } = input;
    const { workspace, now } = decision;
    const buyer = decision.get(accountTable, owner);
    if (buyer === null) throw refuse(accountNotFoundInBody);
    if (buyer.blocked) throw refuse(account.ACCOUNT_BLOCKED);
    const id = idOf(input);
    const known = decision.get(paymentMethodTable, id);
    if (known !== null) return { status: 201, payload: paymentMethod(known, 0n, integrator) };
    const row: PaymentMethodRow = {
      ...{ workspace, id, account_id: owner, provider: 'once', method_class: kind },
      ...{ display_string: SHOWN[kind], pm_state: 'ACTIVE', wallet_id: null, version: 1 },
      currency: kind === 'card' ? currency : EURO,
      processor_token: onceToken(kind),
      ...NO_CARD,
      ...{ created: now, updated: now },
    };
    decision.insert(paymentMethodTable, row);
    return { status: 201, payload: paymentMethod(row, 0n, integrator) };
  },
};

const make = operation({
  id: 'createOneTimePaymentMethod',
  route: 'POST payments /v1/payment_method/once',
  summary: "Gives the payment method by which an account pays once, on the processor's page.",
  cites: 'G-47',
  access: { session: 'write_payment_method', client: 'write_payment_method' },
  body: strictObject({ account_id: wireIdOf('acct'), kind: z.enum(ONCE_KINDS) }),
  answers: { 201: paymentMethodRecord },
  refusals: [
    terms.TERMS_NOT_SIGNED,
    account.ACCOUNT_BLOCKED,
    accountNotFoundInBody,
  ],
  async run(services, request) {
    const { caller, body } = request;
    const { workspace, integrator } = caller;
    await requireSignedTerms(services.db, caller);
    const owner = ownAccountOnly(caller, body.account_id, accountNotFoundInBody);
    const currency = shownCurrency(await services.workspaces.currencies(workspace));
    return submit(services, request, makeOnce, { owner, kind: body.kind, currency, integrator });
  },
});

export const onceOperations: readonly DomainOperation[] = [make];

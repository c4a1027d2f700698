// The operation by which a person or a tenant gives a bank account that payouts go to. [G-91]
import { refuse } from '../../../core/refusal.ts';
import {
  accountNotFoundInBody,
  ownAccountOnly,
  refusals as account,
  sealerOf,
} from '../../people/account/index.ts';
import { refusals as terms, requireSignedTerms } from '../../people/terms/index.ts';
import { operation, submit, type DomainOperation } from '../../context.ts';
import { addBankAccount, bankAccountBody, ibanOf, sealDestination } from './destination.ts';
import { requirePlace } from './entry.ts';
import { shownCurrency } from './method.ts';
import { refusals } from './refusals.ts';
import { paymentMethodRecord } from './schema.ts';

const add = operation({
  id: 'createBankAccount',
  route: 'POST payments /v1/payment_method/bank_account',
  summary: 'Adds a bank account by IBAN, to which payouts go by bank file.',
  cites: 'G-91',
  access: { session: 'write_payment_method', client: 'write_payment_method' },
  body: bankAccountBody,
  answers: { 201: paymentMethodRecord },
  refusals: [
    terms.TERMS_NOT_SIGNED,
    account.ACCOUNT_BLOCKED,
    refusals.PAYMENT_METHOD_LIMIT,
    refusals.PAYMENT_METHOD_ENTRY_LIMIT,
    accountNotFoundInBody,
  ],
  async run(services, request) {
    const { caller, body } = request;
    const { db, random, workspaces } = services;
    const { workspace, integrator } = caller;
    await requireSignedTerms(db, caller);
    const owner = ownAccountOnly(caller, body.account_id, accountNotFoundInBody);
    await requirePlace(db, workspace, owner);
    const sealer = await sealerOf(services, workspace, owner);
    if (sealer === null) throw refuse(accountNotFoundInBody);
    const id = random.uuid();
    const iban = ibanOf(body.iban);
    const to = { holder: body.holder_name, iban, bic: body.bic ?? '' };
    const input = {
      ...{ id, account: owner, last4: iban.slice(-4), integrator },
      sealed: sealDestination(sealer, id, to),
      currency: shownCurrency(await workspaces.currencies(workspace)),
    };
    return submit(services, request, addBankAccount, input);
  },
});

export const destinationOperations: readonly DomainOperation[] = [add];

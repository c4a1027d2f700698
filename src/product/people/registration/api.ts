// The operation that creates an account. [G-20]
import type { Caller } from '../../../core/operation.ts';
import {
  accountRecord,
  accountWithPerson,
  barredUsername,
  personFields,
  refusals as account,
  registration,
  sealPerson,
  usernameKey,
  type Registration,
} from '../account/index.ts';
import { operation, submit, type DomainOperation, type Services } from '../../context.ts';
import { registerAccount, type RegistrationInput, type RegistrationKept } from './decide.ts';

/** Prepares and seals the decision's input. Throws a Refusal for an invalid email address. */
export async function prepareRegistration(
  services: Pick<Services, 'keys' | 'random' | 'workspaces'>,
  caller: Pick<Caller, 'workspace' | 'integrator'>,
  body: Registration,
): Promise<RegistrationInput> {
  const { keys, random, workspaces } = services;
  const { workspace, integrator } = caller;
  const email_id = random.uuid();
  const person = personFields(null, body, email_id);
  const id = random.uuid();
  const sealed = await sealPerson(keys, random, workspace, id, person);
  const currencies = [...(await workspaces.currencies(workspace)).keys()];
  const wallets = currencies.map((currency) => ({
    id: random.uuid(),
    kept_back_id: random.uuid(),
    payment_method_id: random.uuid(),
    currency,
  }));
  const username_key = usernameKey(keys, workspace, person.username);
  const barred_key = barredUsername(keys, workspace, username_key);
  const keyed = { id, username_key, barred_key, has_email: person.email !== null };
  return { ...keyed, ...sealed, email_id, wallets, integrator };
}

const register = operation({
  id: 'registerAccount',
  route: 'POST accounts /register',
  summary: 'Creates an account with one wallet for each enabled currency.',
  cites: 'G-20',
  access: { client: 'write_registrations' },
  body: registration,
  answers: { 200: accountRecord },
  refusals: [account.EMAIL_INVALID, account.USERNAME_ALREADY_TAKEN],
  async run(services, request) {
    const { caller, body } = request;
    const input = await prepareRegistration(services, caller, body);
    const answer = await submit(services, request, registerAccount, input);
    // The stored part and this same body make the same answer again, so no personal field is
    // stored.
    const { id, email_id } = answer.payload as RegistrationKept;
    const payload = accountWithPerson(id, personFields(null, body, email_id));
    return { status: answer.status, payload };
  },
});

export const operations: readonly DomainOperation[] = [register];

// The command that creates an account, all of it or nothing: the account, the sealed fields, the
// identity state, and one wallet for each currency. [G-20]
import type { Command, Decision } from '../../../engine/index.ts';
import { accountId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { invoiceTime } from '../../../core/time.ts';
import {
  accountByUsername,
  accountPersonTable,
  accountTable,
  refusals as account,
} from '../account/index.ts';
import { events } from '../../events.ts';
import { accruesIn, registerKyc } from '../identity/index.ts';
import { makeWallet, type NewWallet } from '../../money/wallet/index.ts';

/** What must be known before the decision. No personal field is in clear text. */
export interface RegistrationInput {
  /** The account's UUID. */
  readonly id: string;
  readonly username_key: string;
  /** The key of an erased person's username. */
  readonly barred_key: string;
  readonly wrapped_key: string;
  readonly sealed: string;
  readonly has_email: boolean;
  /** The id of the email address in the blob: stored with the answer, for repetitions. */
  readonly email_id: string;
  readonly wallets: readonly NewWallet[];
  readonly integrator: string;
}

/** The stored part of the answer; the rest is built from the request's body again. */
export interface RegistrationKept {
  readonly id: string;
  readonly email_id: string;
}

export const registerAccount: Command<RegistrationInput> = {
  name: 'register_account',
  load(rows, { username_key, barred_key }) {
    rows.find(accountByUsername, username_key);
    rows.find(accountByUsername, barred_key);
  },
  decide(decision, input) {
    const names = [input.username_key, input.barred_key];
    if (names.some((key) => decision.find(accountByUsername, key).length > 0)) {
      throw refuse(account.USERNAME_ALREADY_TAKEN, { username: 'USERNAME_ALREADY_TAKEN' });
    }
    makeAccount(decision, input);
    const kept: RegistrationKept = { id: input.id, email_id: input.email_id };
    return { status: 200, payload: kept };
  },
};

/** Creates an account with its identity state and its wallets, and announces it. */
export function makeAccount(decision: Decision, input: RegistrationInput): void {
  const { id, username_key, wrapped_key, sealed, has_email, integrator } = input;
  const { workspace, now } = decision;
  const times = { created: now, updated: now };
  const row = { workspace, id, username_key, blocked: false, merged_to: null, ...times };
  decision.insert(accountTable, row);
  const person = { wrapped_key, sealed, has_email, language: null, updated: now };
  decision.insert(accountPersonTable, { workspace, id, ...person });
  const kyc = registerKyc(decision, id);
  for (const wallet of input.wallets) makeWallet(decision, id, wallet, accruesIn(kyc));
  const message = { account_id: accountId(id), integrator, created: invoiceTime(now) };
  decision.announce(events.accountRegistered, id, 1, message);
}

// Importing accounts: each row becomes what a registration would make of it, under the reference by
// which the other service knew it. [G-20, G-97]
import { z } from 'zod';
import { optional } from '../../../core/schema.ts';
import {
  accountByUsername,
  refusals as account,
  registration,
} from '../../people/account/index.ts';
import {
  makeAccount,
  prepareRegistration,
  type RegistrationInput,
} from '../../people/registration/index.ts';
import { accountReference } from './cells.ts';
import { fingerprint, importedId } from './references.ts';
import { blockCommand, refused, type PreparedRow, type RowKind } from './row-kind.ts';

const { username, email: _body, external_platforms: _json, ...texts } = registration.shape;

interface AccountRow extends PreparedRow {
  readonly input: RegistrationInput;
}

const claimed = refused(account.USERNAME_ALREADY_TAKEN, 'username');

export const accounts: RowKind<AccountRow> = {
  columns: {
    account: accountReference,
    username,
    email: optional(z.string().max(320)),
    email_verified: optional(z.enum(['true', 'false'])),
    ...texts,
  },
  reference: 'account',
  async prepare(parts, place, { cells }) {
    const { account: reference = '', email, email_verified, username: name = '', ...rest } = cells;
    const known = Object.entries(rest).filter(([, cell]) => cell !== '');
    const body = {
      username: name,
      ...Object.fromEntries(known),
      ...(email ? { email: emailOf(email, email_verified) } : {}),
    };
    const input = await prepareRegistration(parts, place, body);
    return {
      id: importedId(parts.keys, place.workspace, 'account', reference),
      fingerprint: fingerprint(parts.keys, place.workspace, cells),
      claims: [input.username_key],
      input,
    };
  },
  claimed,
  command: blockCommand<AccountRow>({
    name: 'import_accounts',
    claimed,
    load(rows, { input }) {
      rows.find(accountByUsername, input.username_key);
      rows.find(accountByUsername, input.barred_key);
    },
    owner: (_decision, { input }) => input.id,
    against(decision, { input }) {
      const names = [input.username_key, input.barred_key];
      const taken = names.some((key) => decision.find(accountByUsername, key).length > 0);
      return taken ? claimed : null;
    },
    create(decision, { input }) {
      makeAccount(decision, input);
      return null;
    },
  }),
};

/** An address that the other service has verified needs no second verification. */
function emailOf(address: string, verified: string | undefined) {
  return { address, requires_verification: verified !== 'true' };
}

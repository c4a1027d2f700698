// Importing saved cards and bank accounts by the processor's own tokens, so that nobody types a
// card number again. The tokens must be of the processor that the tenant is connected to. [G-47]
import { z } from 'zod';
import { refuse } from '../../../core/refusal.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { containsCardNumber } from '../../../core/card-number.ts';
import { shaped } from '../../../core/schema.ts';
import { accountTable, refusals as ofAccount } from '../../people/account/index.ts';
import {
  addMethod,
  BRANDS,
  METHODS_MAX,
  methodsOfAccount,
  refusals as ofWallet,
  shownCurrency,
} from '../../money/wallet/index.ts';
import { accountReference } from './cells.ts';
import { fingerprint, importedId } from './references.ts';
import { ROW_CODES } from './row-codes.ts';
import { blockCommand, differing, refused, type PreparedRow, type RowKind } from './row-kind.ts';
import { importedTable } from './tables.ts';

interface MethodRow extends PreparedRow {
  /** Of the row `imported` of its account. */
  readonly owner: string;
  readonly card: {
    readonly id: string;
    readonly token: string;
    readonly brand: string;
    readonly last4: string;
    readonly currency: string;
  };
  /** False: of another processor. */
  readonly usable: boolean;
}

const brands = Object.keys(BRANDS) as [string, ...string[]];

/** Rows of saved cards and accounts, whose tokens are those of `processor`. */
export function methodsAt(processor: string): RowKind<MethodRow> {
  return {
    columns: {
      account: accountReference,
      provider: shaped(/^[a-z][a-z0-9_-]*$/, 64, 'must be the lower-case name of a processor'),
      token: shaped(/^[!-~]+$/, 255, 'must be 1 to 255 printable characters without blanks'),
      brand: z.enum(brands),
      last4: shaped(/^\d{4}$/, 4, 'must be four digits'),
    },
    reference: 'account',
    async prepare({ keys, random, workspaces }, { workspace }, { cells }) {
      const { account = '', provider, token = '', brand = '', last4 = '' } = cells;
      if (containsCardNumber(token)) {
        throw refuse(inputRefusals.CARD_NUMBER_REFUSED, { token: 'must not be a card number' });
      }
      const currency = shownCurrency(await workspaces.currencies(workspace));
      return {
        id: importedId(keys, workspace, 'method', token),
        fingerprint: fingerprint(keys, workspace, cells),
        claims: [],
        owner: importedId(keys, workspace, 'account', account),
        card: { id: random.uuid(), token, brand, last4, currency },
        usable: provider === processor,
      };
    },
    claimed: differing,
    command,
  };
}

const command = blockCommand<MethodRow>({
  name: 'import_methods',
  claimed: differing,
  load(rows, { owner }) {
    const account = rows.read(importedTable, owner)?.account_id;
    if (account === undefined) return;
    rows.read(accountTable, account);
    rows.find(methodsOfAccount, account);
  },
  owner: (decision, { owner }) => ownerOf(decision, owner),
  against(decision, { owner, usable }, made) {
    const account = decision.get(importedTable, owner)?.account_id;
    if (account === undefined) return refusedBy('ACCOUNT_UNKNOWN', 'account');
    if (!usable) return refusedBy('PROVIDER_OTHER', 'provider');
    if (decision.get(accountTable, account)?.blocked === true) {
      return refused(ofAccount.ACCOUNT_BLOCKED, 'account');
    }
    const held = decision
      .find(methodsOfAccount, account)
      .filter((row) => !['wallet', 'once'].includes(row.provider) && row.pm_state === 'ACTIVE');
    const fresh = made.filter((row) => row.owner === owner);
    if (held.length + fresh.length < METHODS_MAX) return null;
    return refused(ofWallet.PAYMENT_METHOD_LIMIT, 'account');
  },
  create(decision, { owner, card }, integrator) {
    addMethod(decision, { ...card, account: ownerOf(decision, owner), integrator });
    return card.id;
  },
});

function ownerOf(decision: Parameters<typeof addMethod>[0], owner: string): string {
  return decision.get(importedTable, owner)?.account_id ?? '';
}

function refusedBy(code: 'ACCOUNT_UNKNOWN' | 'PROVIDER_OTHER', column: string) {
  return refused({ code, sentence: ROW_CODES[code] }, column);
}

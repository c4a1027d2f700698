// The people of the market, created once by the real commands: each with two cards, a bank account
// and money; and the integrator with an empty wallet.
import { registerAccount } from '../../src/product/people/registration/decide.ts';
import { depositFromNowhere, type SandboxDepositInput } from '../../src/sandbox/control/api.ts';
import { addFunds, lockFunds } from '../../src/product/money/treasury/index.ts';
import {
  attachCard,
  completeDeposit,
  requestDeposit,
  walletTable,
} from '../../src/product/money/wallet/index.ts';
import { addBankAccount } from '../../src/product/money/wallet/destination.ts';
import type { Command } from '../../src/engine/index.ts';
import { instantFromMillis } from '../../src/core/time.ts';
import { integratorBalanceTable } from '../../src/ledger/index.ts';
import {
  CURRENCY,
  INTEGRATOR,
  MemoryCore,
  submit,
  WORKSPACE,
  type Submitted,
} from './memory-core.ts';

/** One person: ids of the account, its wallet and the account beside it, its methods. */
export interface Person {
  readonly id: string;
  readonly wallet: string;
  readonly kept: string;
  /** The wallet's method first, two cards, a bank account, then one by IBAN. */
  readonly methods: readonly string[];
}

const PEOPLE = 3;
const BRANDS = ['visa', 'visa', 'ach'];
/** Minor units that everybody starts with. */
export const FUNDS = 10_000n;
/** The part of what the first one has that came in at our bank: some payouts by file wait. */
export const AT_BANK = 4_000n;

/** Money that came in at our bank, which covers some payouts by file. */
const depositAtBank: Command<SandboxDepositInput & { readonly wallet: string }> = {
  ...depositFromNowhere,
  name: 'deposit_at_bank',
  load(rows, input) {
    depositFromNowhere.load(rows, input);
    lockFunds(rows, 'bank', input.currency);
  },
  decide(decision, { id, account: account_id, wallet: wallet_id, currency, amount }) {
    const request = { id, account_id, wallet_id, payment_method_id: null, currency, amount };
    requestDeposit(decision, request);
    completeDeposit(decision, id, 'bank');
    addFunds(decision, 'bank', currency, amount);
    return { status: 201, payload: null };
  },
};

let ids = 0;

/**
 * The next id; a UUID of its own for each call. Far apart, because the ids of an escrow's invoices
 * and of an invoice's lines, taxes, recipients and payments are its neighbours.
 */
export function freshId(): string {
  ids += 0x1000;
  return `00000000-0000-7000-8000-${ids.toString(16).padStart(12, '0')}`;
}

/** A core with the people in it, and the commands that made it so. */
export function fixture(): { core: MemoryCore; people: Person[]; opening: Submitted[] } {
  const core = new MemoryCore();
  const at = instantFromMillis(core.now);
  const own = { workspace: WORKSPACE, id: INTEGRATOR };
  core.force(integratorBalanceTable, { ...own, amount: 0n, version: 0, updated: at });
  const none = { account_id: null, kept_back_id: null, payment_method_id: null };
  core.force(walletTable, { ...own, ...none, currency: CURRENCY, created: at });
  const opening: Submitted[] = [];
  const people = Array.from({ length: PEOPLE }, (_, n) => makePerson(core, n, opening));
  return { core, people, opening };
}

function makePerson(core: MemoryCore, at: number, opening: Submitted[]): Person {
  const must = <I>(command: Command<I>, input: I): void => {
    const submitted = submit(command, input);
    opening.push(submitted);
    const [outcome] = core.batch([submitted]);
    if (outcome?.kind !== 'answer') throw new Error('the market does not open');
  };
  const [id, wallet, kept] = [freshId(), freshId(), freshId()];
  const method = freshId();
  const row = { id: wallet, kept_back_id: kept, payment_method_id: method, currency: CURRENCY };
  const named = { username_key: `person-${at}`, barred_key: `barred-${at}` };
  const person = { wrapped_key: '', sealed: '', has_email: false };
  const sealed = { ...person, email_id: freshId(), integrator: 'laws' };
  must(registerAccount, { id, ...named, wallets: [row], ...sealed });
  const others = BRANDS.map((brand, n) => {
    const token = `token-${at}-${n}`;
    const card = { id: freshId(), account: id, token, last4: '1111', brand };
    must(attachCard, { ...card, currency: CURRENCY, integrator: 'laws' });
    return card.id;
  });
  const iban = { id: freshId(), account: id, last4: '4300', sealed: '', currency: CURRENCY };
  must(addBankAccount, { ...iban, integrator: 'laws' });
  const funds = { id: freshId(), account: id, currency: CURRENCY, amount: FUNDS };
  const atBank = at === 0 ? AT_BANK : 0n;
  if (atBank > 0n) must(depositAtBank, { ...funds, id: freshId(), wallet, amount: atBank });
  must(depositFromNowhere, { ...funds, amount: FUNDS - atBank });
  return { id, wallet, kept, methods: [method, ...others, iban.id] };
}

// The people of the market: registered, given two cards and money, by the real commands, once.
import { registerAccount } from '../../src/domain/registration/decide.ts';
import { depositFromNowhere } from '../../src/domain/sandbox/deposit.ts';
import { attachCard } from '../../src/domain/wallet/index.ts';
import { MemoryCore } from './memory-core.ts';

/** One person: ids of the account, its USD wallet and the account beside it, its methods. */
export interface Person {
  readonly id: string;
  readonly wallet: string;
  readonly kept: string;
  /** The wallet's method first, then two cards; a card's token is its number in the plans. */
  readonly methods: readonly string[];
}

const PEOPLE = 3;
const CARDS = 2;
const FUNDS = 10_000n;

let ids = 0;

/** The next id; a UUID of its own for each call. */
export function freshId(): string {
  ids += 1;
  return `00000000-0000-7000-8000-${ids.toString(16).padStart(12, '0')}`;
}

/** A core with the people in it. */
export function fixture(): { core: MemoryCore; people: Person[]; funds: bigint } {
  const core = new MemoryCore();
  const people = Array.from({ length: PEOPLE }, (_, at) => makePerson(core, at));
  return { core, people, funds: FUNDS };
}

function makePerson(core: MemoryCore, at: number): Person {
  const [id, wallet, kept] = [freshId(), freshId(), freshId()];
  const method = freshId();
  const wallets = [{ id: wallet, kept_back_id: kept, payment_method_id: method, currency: 'USD' }];
  const sealed = { wrapped_key: '', sealed: '', email_id: freshId(), integrator: 'laws' };
  must(core.run(registerAccount, { id, username_key: `person-${at}`, wallets, ...sealed }));
  const cards = Array.from({ length: CARDS }, (_, n) => {
    const card = { id: freshId(), account: id, token: String(at * CARDS + n), last4: '1111' };
    must(core.run(attachCard, { ...card, brand: 'visa', currency: 'USD', integrator: 'laws' }));
    return card.id;
  });
  const funds = { id: freshId(), account: id, currency: 'USD', amount: FUNDS };
  must(core.run(depositFromNowhere, funds));
  return { id, wallet, kept, methods: [method, ...cards] };
}

function must(outcome: ReturnType<MemoryCore['run']>): void {
  if (outcome.kind === 'answer') return;
  throw new Error(`the market does not open: ${JSON.stringify(outcome)}`);
}

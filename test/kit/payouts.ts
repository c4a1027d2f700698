// Payout fixtures on the domain bench: people who may receive payouts, and the calls that such
// tests repeat.
import assert from 'node:assert/strict';
import { advancePayout, payoutTable, settlePayout } from '../../src/product/money/payout/index.ts';
import { dueRows } from '../../src/engine/index.ts';
import type { TransferAnswer } from '../../src/product/money/wallet/index.ts';
import { newUuid } from '../../src/core/ids.ts';
import type { Bench, Reply } from './domain-bench.ts';

/** A person with a wallet of each currency and a method of each kind. */
export interface Person {
  readonly account_id: string;
  readonly wallet: string;
  readonly euros: string;
  readonly bank: string;
  readonly paypal: string;
  readonly card: string;
}

/** What tests read of a payout. */
export interface PayoutSeen {
  readonly payout_status_id: string;
  readonly status: string;
  readonly payout_flow: string;
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  readonly failure_code: string;
  readonly failure_reason: string;
  readonly credit: {
    readonly amount: number;
    readonly display_amount: string;
    readonly status: string;
  };
}

/** The operations of payouts, as tests call them on one bench. */
export class Payouts {
  readonly #bench: Bench;

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  /** An accepted person with so much USD. */
  async person(funds = 10_000): Promise<Person> {
    const bench = this.#bench;
    const account_id = await bench.newAccount();
    await this.setKyc(account_id, { state: 'ACCEPT' });
    if (funds > 0) {
      const body = { account_id, currency: 'USD', amount: funds };
      await bench.must('sandboxDeposit', { body });
    }
    const attach = async (test_card: string): Promise<string> => {
      const body = { account_id, test_card };
      return (await bench.must<{ id: string }>('sandboxAttachCard', { body })).id;
    };
    const bank = await attach('bank');
    const paypal = await attach('paypal');
    const card = await attach('visa');
    type Method = { id: string; provider: string; processing_currency: string };
    const params = { account_id };
    const methods = await bench.must<Method[]>('listPaymentMethods', { params });
    const wallets = methods.filter(({ provider }) => provider === 'wallet');
    const walletIn = (currency: string): string =>
      wallets.find((one) => one.processing_currency === currency)?.id ?? '';
    return { account_id, wallet: walletIn('USD'), euros: walletIn('EUR'), bank, paypal, card };
  }

  async setKyc(account_id: string, body: object): Promise<void> {
    await this.#bench.must('setAccountKYCState', { params: { account_id }, body });
  }

  /** Asks for 10 USD to the bank, unless `more` says otherwise. */
  ask(who: Person, more: object = {}, key?: string): Promise<Reply> {
    const { account_id, wallet, bank } = who;
    const usual = { source_payment_method_id: wallet, destination_payment_method_id: bank };
    const body = { ...usual, amount: 1_000, currency: 'USD', ...more };
    return this.#bench.call('createPayout', { params: { account_id }, body, ...keyed(key) });
  }

  /** As `ask`, and insists on success; gives the id. */
  async asked(who: Person, more: object = {}): Promise<string> {
    const reply = await this.ask(who, more);
    assert.equal(reply.status, 201, String(reply.code));
    return (reply.payload as PayoutSeen).payout_status_id;
  }

  /** Calls an operation on one payout, under the account of `who`. */
  on(id: string, who: Person, payout_status_id: string, key?: string): Promise<Reply> {
    const params = { account_id: who.account_id, payout_status_id };
    return this.#bench.call(id, { params, ...keyed(key) });
  }

  async seen(who: Person, id: string): Promise<PayoutSeen> {
    return (await this.on('getPayout', who, id)).payload as PayoutSeen;
  }

  async spendable(who: Person): Promise<number> {
    type Shown = { balances: { USD: { spendable: { balance: number } } } };
    const params = { account_id: who.account_id };
    const { balances } = await this.#bench.must<Shown>('getBalances', { params });
    return balances.USD.spendable.balance;
  }

  /** Has a payout sent; gives the id of what it is sent with. */
  async execute(who: Person, id: string): Promise<string> {
    const reply = await this.on('executePayout', who, id);
    assert.equal(reply.status, 200, String(reply.code));
    assert.equal((reply.payload as PayoutSeen).status, 'CREDIT-TRANSFER-INITIATED');
    return this.sentWith(id);
  }

  /** The id of what a payout was sent with last. */
  async sentWith(id: string): Promise<string> {
    const rows = await this.#bench.db.query<{ transfer_id: string | null }>({
      text: 'select transfer_id from payout where id = $1',
      values: [id],
    });
    return rows[0]?.transfer_id ?? '';
  }

  /** The processor, or a person, says something about what was sent; usually about 9.90 USD. */
  async said(
    transferId: string,
    state: TransferAnswer['outcome']['state'],
    more: object = {},
  ): Promise<void> {
    const about = { reference: 'r', amount: 990n, currency: 'USD', code: 'generic_error' };
    const outcome = { ...about, ...more, state } as TransferAnswer['outcome'];
    const submission = { workspace: this.#bench.home.workspace, actor: 'processor' };
    await this.#bench.services.engine.run(settlePayout, { transferId, outcome }, submission);
  }

  /** Advances the home workspace's virtual time, and runs what is due. */
  async pass(seconds: number): Promise<void> {
    const { db, home, services } = this.#bench;
    await db.execute({
      text: `update workspace set clock_offset = clock_offset + make_interval(secs => $2)
        where workspace = $1`,
      values: [home.workspace, seconds],
    });
    for (const { workspace, id: payoutId } of await dueRows(db, payoutTable, 50)) {
      const input = { payoutId, transferId: newUuid() };
      await services.engine.run(advancePayout, input, { workspace, actor: 'system' });
    }
  }

  /** Minor units in the system accounts of a kind. */
  async systemAccount(kind: string): Promise<bigint> {
    const rows = await this.#bench.db.query<{ sum: bigint }>({
      text: `select coalesce(sum(p.amount), 0)::bigint as sum from posting p
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
        where a.kind = $1`,
      values: [kind],
    });
    return rows[0]?.sum ?? 0n;
  }

  /** How many payout-completed there are about a payout. */
  async events(id: string): Promise<number> {
    const rows = await this.#bench.db.query({
      text: `select 1 from outbox where resource_id = $1 and name = 'payout-completed'`,
      values: [id],
    });
    return rows.length;
  }

  /** Everything that a refusal must leave alone. */
  books(): Promise<unknown> {
    return this.#bench.db.query(`select (select count(*) from payout) as payouts,
      (select count(*) from history) as steps, (select count(*) from posting) as postings,
      (select count(*) from outbox) as events, (select count(*) from transfer) as sent,
      (select sum(version) from balance) as balances`);
  }
}

function keyed(key: string | undefined): { key?: string } {
  return key === undefined ? {} : { key };
}

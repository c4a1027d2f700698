// Payout files on the domain bench: people with a bank account by IBAN, two operators, and what a
// bank says.
import assert from 'node:assert/strict';
import { derivedUuid, newUuid } from '../../src/core/ids.ts';
import { systemAccountId } from '../../src/ledger/index.ts';
import { setBankAccount } from '../../src/product/money/bank/index.ts';
import {
  cancelFile,
  confirmFile,
  fileRow,
  fileView,
  handOverFile,
  listFiles,
  makeFile,
  settleWord,
  type BankWord,
  type FileParts,
  type FileView,
  type MadeFile,
} from '../../src/product/money/payout-file/index.ts';
import type { Bench } from './domain-bench.ts';
import { Payouts, type PayoutSeen, type Person } from './payouts.ts';

/** The tenant's own bank account. */
export const OWN_IBAN = 'DE89370400440532013000';
/** Example accounts of the registry of IBANs. */
export const IBANS = [
  ...['NL91ABNA0417164300', 'FR1420041010050500013M02606', 'ES9121000418450200051332'],
];

/** A payout that was sent and waits for a file. */
export interface SentPayout {
  readonly who: string;
  readonly payout: string;
  readonly transfer: string;
  readonly endToEnd: string;
  seen(): Promise<PayoutSeen>;
  spendable(): Promise<number>;
}

export class FilePayouts extends Payouts {
  readonly #bench: Bench;
  /** Operators. */
  readonly maker = newUuid();
  readonly second = newUuid();
  #people = 0;

  constructor(bench: Bench) {
    super(bench);
    this.#bench = bench;
  }

  get parts(): FileParts {
    return this.#bench.services;
  }

  /** Adds a bank account by IBAN to an account; gives its id. */
  async bankAccount(account_id: string, more: object = {}): Promise<string> {
    const iban = IBANS[this.#people++ % IBANS.length];
    const body = { account_id, iban, holder_name: 'Zoë Ångström', ...more };
    return (await this.#bench.must<{ id: string }>('createBankAccount', { body })).id;
  }

  /** A payout of so many euro cents that was sent and waits, of a new person with 100 EUR. */
  async sent(amount: number, more: object = {}): Promise<SentPayout> {
    const who = await this.person(0);
    const { account_id, euros } = who;
    const deposit = { account_id, currency: 'EUR', amount: 10_000 };
    await this.#bench.must('sandboxDeposit', { body: deposit });
    await this.fundBank(10_000n);
    const destination_payment_method_id = await this.bankAccount(account_id, more);
    const from = { source_payment_method_id: euros, currency: 'EUR' };
    const payout = await this.asked(who, { amount, destination_payment_method_id, ...from });
    const transfer = await this.execute(who, payout);
    return {
      ...{ who: account_id, payout, transfer, endToEnd: transfer.replaceAll('-', '') },
      seen: () => this.seen(who, payout),
      spendable: () => this.eurosOf(who),
    };
  }

  /** Euro cents at the tenant's bank, as if the newest deposit had come in there. */
  async fundBank(amount: bigint): Promise<void> {
    const { db, home, services } = this.#bench;
    const { workspace } = home;
    const lineage = services.keys.lineageOf(workspace);
    const [bank, funding] = (['bank', 'sandbox_funding'] as const).map((kind) =>
      systemAccountId(lineage, kind, 'EUR'),
    );
    const id = derivedUuid(`funds/${lineage}/bank/EUR`);
    await db.transaction(async (tx) => {
      await tx.execute({
        text: `insert into posting (workspace, resource_id, version, line, account_id, currency,
            amount)
          select s.workspace, s.resource_id, s.version, n.line, n.account, 'EUR', n.amount
          from (select * from history where workspace = $1 and machine = 'deposit'
            order by at desc, version desc limit 1) s
          cross join (values (90, $2::uuid, -$4::int8), (91, $3::uuid, $4::int8))
            as n (line, account, amount)`,
        values: [workspace, bank, funding, amount],
      });
      await tx.execute({
        text: `insert into funds (workspace, id, place, currency, available, held, version,
            updated)
          values ($1, $2, 'bank', 'EUR', $3, 0, 1, clock_timestamp())
          on conflict (workspace, id) do update set available = funds.available + $3`,
        values: [workspace, id, amount],
      });
    });
  }

  async eurosOf({ account_id }: Person): Promise<number> {
    type Shown = { balances: { EUR: { spendable: { balance: number } } } };
    const params = { account_id };
    const { balances } = await this.#bench.must<Shown>('getBalances', { params });
    return balances.EUR.spendable.balance;
  }

  /** Gives the tenant a bank account in a currency. */
  async ownAccount(currency = 'EUR', number = OWN_IBAN): Promise<void> {
    const { db, random } = this.#bench.services;
    const names = { bic: '', holder: 'Shop & Söhne GmbH', bankName: 'A bank', columns: null };
    const facts = { currency, number, ...names };
    await setBankAccount({ db, random }, this.#bench.home.workspace, facts, 'test');
  }

  make(more: object = {}): Promise<MadeFile> {
    const { workspace } = this.#bench.home;
    const how = { currency: 'EUR', format: 'pain.001', mapping: null, executeOn: null } as const;
    const wanted = { workspace, ...how, operator: this.maker, ...more };
    return makeFile(this.parts, wanted);
  }

  confirm({ file_id: fileId, sha256 }: FileView, more: object = {}): Promise<FileView> {
    const { workspace } = this.#bench.home;
    const act = { workspace, fileId, operator: this.second, sha256, dependent: [], ...more };
    return confirmFile(this.parts, act);
  }

  cancel(fileId: string): Promise<FileView> {
    const { workspace } = this.#bench.home;
    return cancelFile(this.parts, { workspace, fileId, actor: 'test' });
  }

  handOver(fileId: string) {
    const { workspace } = this.#bench.home;
    return handOverFile(this.parts, { workspace, fileId, actor: 'test' });
  }

  /** Makes, confirms and hands over a file of all that waits. */
  async handedOver(): Promise<FileView> {
    const { file } = await this.make();
    await this.confirm(file);
    return (await this.handOver(file.file_id)).file;
  }

  async file(id: string): Promise<FileView> {
    return fileView(await fileRow(this.#bench.db, this.#bench.home.workspace, id));
  }

  async newest(): Promise<FileView> {
    const [file] = await listFiles(this.#bench.db, this.#bench.home.workspace, 1);
    assert.ok(file);
    return file;
  }

  says(word: Partial<BankWord> & Pick<BankWord, 'what' | 'id'>) {
    const { workspace } = this.#bench.home;
    const said = { amount: null, currency: null, reference: 'bank 1', actor: 'bank' };
    return settleWord(this.parts, { workspace, ...said, ...word });
  }

  /** Minor units in the accounts that payouts by file go through. */
  async places() {
    return {
      payout_pending: await this.systemAccount('payout_pending'),
      payout_handed_over: await this.systemAccount('payout_handed_over'),
      bank: await this.systemAccount('bank'),
    };
  }
}

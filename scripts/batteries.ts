// The batteries of `npm run prove`, in their order: test files, and settings that lengthen them.

/** A part of `npm run prove`. */
export interface Battery {
  readonly name: string;
  readonly what: string;
  readonly files: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  /** True if some of its files open pages in a browser. */
  readonly browser?: boolean;
  /** True if it needs Firefox too; without one it is left out. */
  readonly firefox?: boolean;
  /** True where its tests say a line each, which is shown. */
  readonly shown?: boolean;
  /** Its own, unless one is given: what it draws is a named sample. */
  readonly seed?: string;
}

const BENCH = `connections fill grown histogram line lists load matching-em matching-own paired
  report peoples/peoples`
  .split(/\s+/).map((name) => `bench/${name}.test.ts`);

export const BATTERIES: readonly Battery[] = [
  {
    name: 'laws',
    what: '100,000 random histories on the pure core against a model, 40 of them on PostgreSQL too',
    files: [
      ...['test/prove/money-laws.test.ts', 'test/prove/covered.test.ts'],
      'test/prove/replay.test.ts',
    ],
    settings: { HOLDFAST_LAW_RUNS: '10000', HOLDFAST_LAW_REPLAYS: '40' },
  },
  {
    name: 'races',
    what: 'races over HTTP through two processes on one database, 1,000 callers, 5 rounds',
    files: [
      ...['test/prove/escrow-races.test.ts', 'test/prove/escrow-part-races.test.ts'],
      ...['test/prove/dispute-races.test.ts', 'test/prove/disagreement-races.test.ts'],
      ...['test/races/money.test.ts', 'test/prove/checkout-races.test.ts'],
      'test/prove/http-races.test.ts',
      ...['test/prove/accrual-races.test.ts', 'test/prove/event-races.test.ts'],
      'test/prove/late-races.test.ts',
      ...['test/prove/payout-races.test.ts', 'test/prove/merge-races.test.ts'],
      'test/prove/wallet-alert-races.test.ts',
    ],
    settings: {
      HOLDFAST_PAYOUT_FLIPS: '2000',
      HOLDFAST_RACE_ROUNDS: '5',
      HOLDFAST_RACERS: '1000',
    },
  },
  {
    name: 'api',
    what: 'refunds, disputes, debts, merges, businesses, reviews over HTTP, and attacks on both',
    files: [
      ...['test/prove/refund.test.ts', 'test/prove/refund-funds.test.ts'],
      ...['test/prove/books.test.ts', 'test/prove/export.test.ts'],
      ...['test/prove/escrow-course.test.ts', 'test/prove/escrow-party.test.ts'],
      'test/prove/escrow-page.test.ts',
      ...['test/prove/dispute.test.ts', 'test/prove/dispute-deadline.test.ts'],
      ...['test/prove/disagreement.test.ts', 'test/prove/escrow-bad-input.test.ts'],
      ...['test/prove/seller-debt.test.ts', 'test/prove/seller-reserve.test.ts'],
      ...['test/prove/kyb-api.test.ts', 'test/prove/kyb-abroad.test.ts'],
      ...['test/prove/matching-api.test.ts', 'test/prove/cli-bank.test.ts'],
      ...['test/prove/match-counts.test.ts', 'test/prove/match-thresholds.test.ts'],
      ...['test/prove/match-weights.test.ts', 'test/prove/office-holders.test.ts', ...BENCH],
      ...['test/prove/merge.test.ts', 'test/prove/history-api.test.ts'],
      ...['test/prove/document-expiry.test.ts', 'test/prove/no-vendor.test.ts'],
      ...['test/prove/restored.test.ts', 'test/prove/late-challenge.test.ts'],
      ...['test/prove/console-review.test.ts', 'test/prove/second-look.test.ts'],
      ...['test/prove/payout-files.test.ts', 'test/prove/console-attacks.test.ts'],
      ...['test/prove/staff.test.ts', 'test/prove/sign-on.test.ts'],
      ...['test/prove/console-webhooks.test.ts', 'test/prove/console-developers.test.ts'],
      ...['test/prove/console-endpoints.test.ts', 'test/prove/working-day.test.ts'],
      ...['test/prove/console-money.test.ts', 'test/prove/console-escrows.test.ts'],
      ...['test/prove/large-body.test.ts', 'test/prove/canaries.test.ts'],
      ...['test/prove/cli-server.test.ts', 'test/prove/cli-provider.test.ts'],
      ...['test/prove/lists.test.ts', 'test/prove/list-exports.test.ts'],
      ...['test/prove/mail.test.ts', 'test/prove/receipts.test.ts'],
      'test/prove/escrow-mails.test.ts',
      ...['test/prove/email-check.test.ts', 'test/prove/console-mails.test.ts'],
      ...['test/prove/invited.test.ts', 'test/prove/mail-limits.test.ts'],
      ...['test/prove/client-approvals.test.ts', 'test/prove/operator-mails.test.ts'],
      ...['test/prove/idempotency.test.ts', 'test/prove/session-attacks.test.ts'],
      ...['test/prove/escrow-clock.test.ts', 'test/prove/escrow-parts.test.ts'],
      ...['test/prove/counterparty-api.test.ts', 'test/prove/kyc-form.test.ts'],
      ...['test/prove/old-snapshots.test.ts', 'test/prove/wallet-alert.test.ts'],
      ...['test/prove/settings-api.test.ts', 'test/prove/bank-api.test.ts'],
      ...['test/prove/api-examples.test.ts', 'test/prove/terms-api.test.ts'],
      ...['test/prove/cli-json.test.ts', 'test/prove/cli-verbs.test.ts'],
      'test/prove/providers.test.ts',
    ],
    settings: {},
  },
  {
    name: 'processor',
    what: 'every scenario and test person as listed, each bad day of the processor at its length',
    files: [
      'test/prove/cards.test.ts',
      'test/prove/counterparties.test.ts',
      'test/prove/dispute-evidence.test.ts',
      ...['test/prove/test-persons.test.ts', 'test/prove/people.test.ts'],
      ...['test/prove/person.test.ts', 'test/prove/hits.test.ts', 'test/prove/clock.test.ts'],
      'test/prove/scripts.test.ts',
      'test/prove/statement.test.ts',
    ],
    settings: { HOLDFAST_SCRIPTS: 'full', HOLDFAST_SCRIPT_COUNT: '3' },
  },
  {
    name: 'going_live',
    what: 'the guide as it stands, four eyes, thirty days of production, sales, people at Stripe',
    files: [
      ...['test/prove/going-live.test.ts', 'test/prove/thirty-days.test.ts'],
      ...['test/prove/four-eyes.test.ts', 'test/prove/treasury.test.ts'],
      ...['test/prove/stops.test.ts', 'test/prove/provider-stops.test.ts'],
      'test/prove/database-tls.test.ts',
      ...['test/prove/import.test.ts', 'test/prove/stripe.test.ts', 'test/prove/connect.test.ts'],
      ...['test/prove/identity-vendor.test.ts', 'test/prove/kyc-vendor.test.ts'],
      'src/product/people/screening/import.pg.test.ts',
    ],
    settings: { HOLDFAST_WATCH_LIST: '50000' },
  },
  {
    name: 'foreign',
    what: 'programs of others: Stripe, bank schemas, a KMS, mail, pandas, psql, Deno, Bun, workerd',
    files: [
      'test/prove/localstripe.test.ts',
      'test/prove/stripe-mock.test.ts',
      'test/prove/bank-schemas.test.ts',
      ...['test/prove/kms.test.ts', 'test/prove/greenmail.test.ts'],
      ...['test/prove/reporting.test.ts', 'test/prove/runtimes.test.ts'],
    ],
    settings: {},
  },
  {
    name: 'seen',
    what: 'Prometheus scrapes a server and raises an alert, rules by promtool, traces, the archive',
    files: ['test/prove/seen.test.ts', 'test/prove/database-safety.test.ts'],
    settings: {},
  },
  {
    name: 'operated',
    what: 'the pages of operators typed into a terminal: install, monitor, restore, upgrade, stop',
    files: ['test/prove/operations.test.ts'],
    settings: {},
  },
  {
    name: 'kills',
    what: '200 kill -9 of server and database at random moments under load, and at exact points',
    files: [
      'test/prove/kill.test.ts',
      ...['test/prove/crash.test.ts', 'test/prove/escrow-crash.test.ts'],
      'test/prove/delivery-crash.test.ts',
      'test/prove/rotation.test.ts',
      'test/prove/sealers.test.ts',
      'test/prove/start-kills.test.ts',
    ],
    settings: { HOLDFAST_KILLS: '200', HOLDFAST_ROTATION_KILLS: '10' },
  },
  {
    name: 'wire',
    what: 'a recorded walk through every operation, byte for byte, and the plans of its statements',
    files: ['test/prove/walk.test.ts', 'test/prove/statements.test.ts'],
    settings: {},
  },
  {
    name: 'input',
    what: 'every wrong shape of every field, every wrong token; HTTP without its own thread',
    files: [
      ...['test/prove/bad-input.test.ts', 'test/prove/one-thread.test.ts'],
      'test/api/access.test.ts',
    ],
    settings: { HOLDFAST_EVERY_TOKEN: '1' },
  },
  {
    name: 'faults',
    what: 'a database that falls silent or is frozen, and a process frozen in a transaction',
    files: ['test/prove/silence.test.ts'],
    settings: {},
  },
  {
    name: 'broken',
    what: 'calls of ports, KMS, mails and packets to the database break: 12 and 10 histories',
    files: ['test/prove/broken-calls.test.ts'],
    settings: { HOLDFAST_BROKEN_COMMANDS: '12', HOLDFAST_BROKEN_SYSTEM: '10' },
    shown: true,
  },
  {
    name: 'move',
    what: 'a tenant moves between two installations under load, its command killed at each step',
    files: ['test/prove/tenant-move.test.ts'],
    settings: { HOLDFAST_MOVE_ROWS: '20000' },
    shown: true,
  },
  {
    name: 'available',
    what: 'hosts with systemd by the page: 20 faults under load, each lost for good, all restored',
    files: [
      'test/prove/available.test.ts',
      'test/prove/hosts.test.ts',
      'test/prove/service.test.ts',
      ...['test/prove/pooler.test.ts', 'test/prove/standby.test.ts'],
      'test/prove/restore.test.ts',
    ],
    settings: { HOLDFAST_HA_ROUNDS: '20' },
  },
  {
    name: 'rolling',
    what: 'under load ten rolling stops behind what a usual proxy does; 8 kinds of secret replaced',
    files: ['test/prove/rolling.test.ts', 'test/prove/secrets.test.ts'],
    settings: {},
  },
  {
    name: 'upgrade',
    what: 'the last release becomes this one under load, each works on the schema of the next',
    files: [
      ...['test/prove/upgrade.test.ts', 'test/prove/old-program.test.ts'],
      ...['test/prove/rollback.test.ts', 'test/prove/old-data.test.ts'],
      'test/prove/one-role.test.ts',
    ],
    settings: {},
  },
  {
    name: 'packaged',
    what: 'the image run by its compose file behind the example proxy, proxies attacked, chained',
    files: ['test/prove/packaged.test.ts', 'test/prove/proxies.test.ts'],
    settings: {},
  },
  {
    name: 'browser',
    what: 'every screen in four looks for everybody, and payments in a browser that go wrong',
    files: [
      ...['test/prove/everybody.test.ts', 'test/prove/keyboard.test.ts'],
      ...['test/prove/once.test.ts', 'test/prove/hostile.test.ts', 'test/prove/told.test.ts'],
      ...['test/prove/cookies.test.ts', 'test/prove/ways.test.ts', 'test/prove/loader.test.ts'],
      ...['test/prove/shell.test.ts', 'test/prove/checkout-pages.test.ts'],
      ...['test/prove/site.test.ts', 'test/prove/console-lists.test.ts'],
      ...['test/prove/console-overview.test.ts', 'test/prove/pseudo.test.ts'],
    ],
    settings: { HOLDFAST_BROWSER: 'full' },
    browser: true,
  },
  {
    name: 'flows',
    what: 'every flow in a browser: identity, business, payout, history, 3-D Secure, apps, reviews',
    files: [
      ...['test/prove/kyc.test.ts', 'test/prove/kyb.test.ts', 'test/prove/payout.test.ts'],
      ...['test/prove/history.test.ts', 'test/prove/entry.test.ts'],
      ...['test/prove/escrow-pages.test.ts', 'test/prove/shop-plans.test.ts'],
      'test/prove/disagreement-pages.test.ts',
      ...['test/prove/challenge.test.ts', 'test/prove/leaving.test.ts'],
      ...['test/prove/pay-once.test.ts', 'test/prove/joining.test.ts'],
      ...['test/prove/client.test.ts', 'test/prove/native-app.test.ts'],
      ...['test/prove/review.test.ts', 'test/prove/company.test.ts', 'test/prove/shop.test.ts'],
      'test/prove/german-company.test.ts',
      ...['test/prove/developers.test.ts', 'test/prove/languages.test.ts'],
      ...['test/prove/at-home.test.ts', 'test/prove/forms.test.ts'],
    ],
    settings: {},
    browser: true,
  },
  {
    name: 'firefox',
    what: 'Firefox ESR: a card, its receipt, an identity, an IBAN, in English and Arabic; a frame',
    files: ['test/prove/firefox.test.ts'],
    settings: {},
    browser: true,
    firefox: true,
  },
  {
    name: 'sandbox',
    what: 'the platform in tests of other projects, events in a terminal, races of copies, pages',
    files: [
      'test/prove/testing.test.ts',
      'test/prove/listen.test.ts',
      'test/prove/trigger.test.ts',
      'test/prove/counterparty.test.ts',
      'test/prove/workspace-races.test.ts',
      ...['test/prove/archived-workspaces.test.ts', 'test/prove/beginning.test.ts'],
      ...['test/prove/testing-package.test.ts', 'test/prove/runner.test.ts'],
      ...['test/prove/clock-workspaces.test.ts', 'test/prove/workspaces.test.ts'],
    ],
    settings: { HOLDFAST_CLOCKS: '20' },
    browser: true,
  },
  {
    name: 'planted',
    what: 'known defects of 47 kinds in core, engine, books and calls: each must fail its tests',
    files: ['test/prove/planted.test.ts'],
    settings: { HOLDFAST_LAW_RUNS: '500' },
    shown: true,
  },
  {
    name: 'clients',
    what: 'clients that two foreign generators make from the OpenAPI documents pay an invoice',
    files: ['test/prove/generators.test.ts'],
    settings: {},
  },
  {
    name: 'newcomer',
    what: 'every command of the documents in a clone where only `npm start` ran, walks one by one',
    files: [
      'test/prove/commands.test.ts',
      'test/prove/walks.test.ts',
      'test/prove/checkout.test.ts',
      ...['test/prove/packed.test.ts', 'test/prove/packages.test.ts'],
      ...['test/prove/ten-minutes.test.ts', 'test/prove/three-languages.test.ts'],
      'test/prove/release.test.ts',
    ],
    settings: {},
    browser: true,
  },
  {
    name: 'mutants',
    what: '500 changes in core, engine, ledger, machines and commands, each before its tests',
    files: ['test/prove/mutants.test.ts'],
    settings: { HOLDFAST_MUTANTS: '520', HOLDFAST_LAW_RUNS: '20' },
    seed: '1',
  },
];

// Changes that no test can or should notice, and why. A change is known by its file, the source
// line it is in, and what stands in whose place, so that a row outlives moved lines.
import { brief, type Mutant } from './mutator.ts';
import { CORE_REASONS, type Reason } from './reasons-core.ts';

/** Constant columns of tables. */
const ALIKE = [
  "...['workspace', 'machine', 'from_state', 'event', 'to_state', 'at', 'actor', 'detail'],",
  "...['trace_id', 'actor_account'],",
  "constant: ['workspace', 'status', 'record', 'record_version', 'answer', 'created'],",
  "}, { constant: ['workspace', 'currency'] });",
  "constant: ['workspace', 'accrues', 'owes', 'updated'],",
];

export const REASONS: readonly Reason[] = [
  ...CORE_REASONS,
  {
    file: /^src\/(?:product|sandbox)\//,
    line: 'batchable: true,',
    kind: 'boolean',
    why: 'a command that runs alone is slower, and decides the same',
  },
  {
    file: 'src/engine/unit-of-work.ts',
    line: 'sums.set(entry.currency, (sums.get(entry.currency) ?? 0n) + entry.amount);',
    from: '+',
    to: '-',
    why: 'each sum is negative then, and zero where it was zero',
  },
  {
    file: 'src/engine/rows.ts',
    line: 'if (rows.size >= (table.remembered ?? 0)) {',
    why: 'only a table that says how many rows are remembered comes here',
  },
  {
    file: 'src/engine/rows.ts',
    line: "const type = (table.columns as Record<string, string>)[column] ?? 'text';",
    why: 'the column of an index is one of its table',
  },
  {
    file: 'src/engine/engine.ts',
    line: 'if (this.#arrivals.length > 0) this.#turn();',
    from: '>',
    to: '>=',
    why: 'a turn with nothing to do does nothing',
  },
  {
    file: 'src/engine/engine.ts',
    line: 'this.#turning = true;',
    from: 'true',
    to: 'false',
    why: 'a second turn after the first finds nothing left to do',
  },
  {
    file: 'src/engine/engine.ts',
    line: 'if (this.#turning) return;',
    from: 'this.#turning',
    to: 'false',
    why: 'a second turn after the first finds nothing left to do',
  },
  {
    file: 'src/engine/write.ts',
    line: '} while (now() < end);',
    from: '<',
    to: '<=',
    why: 'one more look in the very millisecond in which the time is up changes no answer',
  },
  {
    file: 'src/engine/write.ts',
    line: 'if (constant === undefined || first === undefined) return NONE;',
    from: 'NONE',
    to: '[]',
    why: 'such a table has one text in any case; its name only ends otherwise',
  },
  {
    file: 'src/engine/tables.ts',
    line: /tableOf\('\w+', 0, \{/,
    kind: 'off by one',
    why: 'a table of which no row is ever locked has no place among the locks',
  },
  ...ALIKE.map((line) => ({
    file: /^src\/(?:engine|ledger)\/(?:tables|short-steps|kept-answers)\.ts$/,
    line,
    why: 'it only says which columns are sent as one value',
  })),
  {
    file: 'src/ledger/tables.ts',
    line: /tableOf\('\w+', \d+, \{/,
    kind: 'off by one',
    why: 'ranks only say an order: these are five apart, and no entry is ever locked',
  },
  {
    file: 'src/ledger/chart.ts',
    line: 'names.set(name, (id = derivedUuid(`ledger/${name}`)));',
    kind: 'swap',
    why: 'an id that is not remembered is derived once more, and is the same',
  },
  {
    file: 'src/ledger/chart.ts',
    line: 'if (id === undefined) {',
    from: 'id === undefined',
    to: 'true',
    why: 'an id that is not remembered is derived once more, and is the same',
  },
  {
    file: /^src\/ledger\/(?:integrator|proofs)\.ts$/,
    line: /\?\.n \?\? 0n\)[;,]$/,
    from: '0n',
    to: '1n',
    why: 'a count always gives a row; the type of a result does not know it',
  },
  {
    file: 'src/product/money/escrow/api.ts',
    line: "if (record.status !== 'OPEN' || left <= 0) return record;",
    why: 'the last look is a millisecond earlier or later, and gives the same',
    from: '0',
  },
  {
    file: 'src/product/money/escrow/api.ts',
    line: "if (record.status !== 'OPEN' || left <= 0) return record;",
    from: '<=',
    to: '<',
    why: 'with exactly no time left it looks once more, after no pause',
  },
  {
    file: 'src/product/money/payout/settle.ts',
    line: "if (row.state !== 'FAILED' || row.due === null || !anyParked(decision, row)) return;",
    from: '||',
    why: 'where no clock runs, one that is stopped once more is as it was',
  },
  {
    file: /^src\/product\/.*\/(?:settle|clock|cancel|attempt-deposit|create|discrepancy|drop)\.ts$/,
    line: /\{ status: 200, payload: null \}(?: as const)?;$/,
    from: '200',
    to: '201',
    why: 'no client sees the status: a worker or another operation runs such a command',
  },
  {
    file: 'src/engine/queue.ts',
    line: '#moved = 0;',
    why: 'before the first work there is nothing whose stillness counts',
  },
  {
    file: /^src\/engine\//,
    line: /^const [A-Z_]+_MS = [\d_]+;$/,
    kind: 'off by one',
    why: 'a limit in time that is a millisecond longer is the same limit',
  },
  {
    file: 'src/product/money/invoice/laws.ts',
    from: '>',
    to: '>=',
    line: /sum\(.*amount > 0/,
    why: 'nothing is added to a sum by what is zero',
  },
  ...['<', '>'].map((from) => ({
    file: /^src\//,
    line: /([\w.]+) [<>] ([\w.]+) \? \1 : \2[;,)]/,
    from,
    to: `${from}=`,
    why: 'of two that are equal either is the smaller, and the greater',
  })),
  {
    file: 'src/product/money/reconciliation/reconcile.ts',
    line: /\bPAGES_AT_ONCE\b/,
    kind: 'off by one',
    why: 'a pass that reads more or fewer pages leaves the rest to the next',
  },
  {
    file: 'src/engine/engine.ts',
    line: 'return this.open > 0;',
    from: '0',
    to: '1',
    why: 'a command that is open alone waits for no other, and is never too late',
  },
  {
    file: 'src/engine/engine.ts',
    line: 'forget(pending);',
    why: 'what is discovered again replaces what was there; it is freed earlier, that is all',
  },
  {
    file: 'src/engine/engine.ts',
    line: /dropLate\(\[pending\]\)\.length > 0/,
    from: '>',
    to: '>=',
    why: 'a command that was answered finds nothing to do alone',
  },
  {
    file: 'src/engine/engine.ts',
    line: 'pending.fail(new Refusal(engineRefusals.RESOURCE_BUSY, {}, 1));',
    from: '1',
    to: '2',
    why: 'the seconds to wait are advice',
  },
  {
    file: /^src\/(?:product|sandbox)\//,
    line: /refuse\(.+, \{\}, 1\);$/,
    from: '1',
    to: '2',
    why: 'the seconds to wait are advice',
  },
  {
    file: 'src/engine/transaction.ts',
    line: /^if \(cut\) broken = true;$|catch\(\(\) => \(broken = true\)\)/,
    why: 'the pool drops a connection that has ended, whatever is said of it',
  },
  {
    file: 'src/engine/queue.ts',
    line: /^let (?:mine|looks) = 0;$|^const mostLooks = /,
    why: 'a share of a batch is a bound; one row or look more or less is as good',
  },
  {
    file: 'src/product/money/refund/funding.ts',
    from: '0',
    to: '1',
    line: /funded/,
    why: 'the count only says whether to look again at once',
  },
  {
    file: 'src/product/money/escrow/decide.ts',
    line: 'if (saleTerms.escrow !== id) return null;',
    to: 'false',
    why: 'an id that is no escrow has no row to lock, which refuses as well',
  },
  {
    file: 'src/product/people/business/store.ts',
    line: 'else if (person.registration !== null) name(decision, entity.id, person, null);',
    to: 'true',
    why: 'a person without a registration is refused before the command, except in a race',
  },
  {
    file: 'src/engine/queue.ts',
    line: 'for (let at = 0; at < this.#solo.length; at += 1) {',
    from: '<',
    to: '<=',
    why: 'after the last there is none, which is passed over',
  },
  {
    file: 'src/engine/queue.ts',
    line: '#last = 0;',
    kind: 'off by one',
    why: 'the size of the last group is asked for only after one has started',
  },
  {
    file: 'src/ledger/proofs.ts',
    line: 'await db.query(WHOLE_TABLES);',
    kind: 'statement',
    why: 'without it laws take longer, and find the same',
  },
  {
    file: /^src\//,
    line: /\bprepared\('[\w-]+'\)`/,
    kind: 'name',
    why: 'a statement without a name is parsed each time, and gives the same rows',
  },
  {
    file: 'src/product/money/bank/rows.ts',
    line: 'return row ?? { own: 0n, fundsVersion: 0 };',
    kind: 'off by one',
    why: 'sums always give a row; the type of a result does not know it',
  },
  {
    file: /^src\/product\/money\/wallet\/(?:method-change|once)\.ts$/,
    line: /\bpaymentMethod\(.+, 0n, /,
    kind: 'off by one',
    why: 'a balance is shown of wallets only, and this is never one',
  },
  {
    file: 'src/product/people/account-merge/decide.ts',
    line: /^return id === null \? 0n : /,
    from: '0n',
    to: '1n',
    why: 'wallets of accounts have restricted funds and a balance; the tenant is never merged',
  },
  {
    file: 'src/product/money/wallet/method-change.ts',
    line: 'if (!card.fingerprint) return;',
    from: '!card.fingerprint',
    to: 'false',
    why: 'a card that cannot be told from others locks more than it needs, and is decided alike',
  },
  {
    file: 'src/product/money/reconciliation/discrepancy.ts',
    line: /^const found = line\.verdict === 'difference' \? /,
    from: "line.verdict === 'difference'",
    to: 'true',
    why: 'a line that is no difference has no row of one',
  },
];

function isOf(wanted: string | RegExp, text: string): boolean {
  return typeof wanted === 'string' ? wanted === text : wanted.test(text);
}

function rowFor({ file, context, kind, from, to }: Mutant): Reason | undefined {
  return REASONS.find(
    (row) =>
      isOf(row.file, file) &&
      isOf(row.line ?? context, context) &&
      (row.kind ?? kind) === kind &&
      (row.from ?? brief(from)) === brief(from) &&
      (row.to ?? brief(to)) === brief(to),
  );
}

/** Why a survivor may live, or null. */
export function reasonFor(mutant: Mutant): string | null {
  return rowFor(mutant)?.why ?? null;
}

/** True where a row names the very change, not a line in which others are noticed. */
export function isKnown(mutant: Mutant): boolean {
  const row = rowFor(mutant);
  if (row?.line === undefined) return false;
  return row.kind !== undefined || (row.from !== undefined && row.to !== undefined);
}

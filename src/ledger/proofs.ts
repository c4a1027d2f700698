// The laws of the ledger as queries, each of which returns the rows that break it, and how laws are
// run: read-only, by `holdfast verify`, by tests that move money, and by operators at any time.
import type { Queryable } from '../db/index.ts';
import { law, type Proof } from '../core/proof.ts';

/** A law and its breaches (at most five examples). */
export interface ProofResult {
  readonly name: string;
  readonly law: string;
  readonly breaches: number;
  readonly examples: readonly string[];
}

export const entryLaws: readonly Proof[] = [
  law('entries_balance', 'The ledger entries of each step sum to zero in each currency.',
    `select resource_id || ' v' || version as what from posting
      group by workspace, resource_id, version, currency having sum(amount) <> 0`),
  law('books_balance', 'Each workspace sums to zero in each currency.',
    `select workspace || ' ' || currency as what from posting
      group by workspace, currency having sum(amount) <> 0`),
  law('balances_are_sums',
    'Each running balance equals the sum and the count of its ledger entries.',
    `select b.id::text as what from balance b
      left join (select workspace, account_id, sum(amount) s, count(*) n from posting
        where account_version is not null group by workspace, account_id) p
        on p.workspace = b.workspace and p.account_id = b.id
      where b.amount <> coalesce(p.s, 0) or b.version <> coalesce(p.n, 0) or b.amount < 0`),
  law('chains_are_whole',
    'The ledger entries of each running balance are numbered 1, 2, 3 and add up.',
    `select account_id::text as what from (
        select account_id, account_version, balance_after, amount,
          lag(balance_after, 1, 0::bigint) over w as before,
          row_number() over w as n
        from posting where account_version is not null
        window w as (partition by workspace, account_id order by account_version)) c
      where n <> account_version or before + amount <> balance_after`),
];

export const integratorLaws: readonly Proof[] = [
  law('integrator_balance_is_its_postings',
    'The integrator balance is the sum of its ledger entries, folded in or pending.',
    `select b.id::text as what from integrator_balance b
      left join (select workspace, account_id, sum(amount) s from posting
        where account_version is null group by workspace, account_id) p
        on p.workspace = b.workspace and p.account_id = b.id
      left join (select workspace, account_id, sum(amount) s from integrator_credit
        group by workspace, account_id) c on c.workspace = b.workspace and c.account_id = b.id
      where b.amount + coalesce(c.s, 0) <> coalesce(p.s, 0)`),
];

/** Runs every law in one snapshot; all breaches are counted, a few are named. */
export async function runProofs(
  db: Queryable,
  proofs: readonly Proof[],
): Promise<ProofResult[]> {
  const results: ProofResult[] = [];
  for (const proof of proofs) {
    const rows = await db.query<{ n: bigint; examples: string[] | null }>(
      `select count(*) as n, (array_agg(what))[1:5] as examples from (${proof.text}) breach`,
    );
    const row = rows[0];
    results.push({
      name: proof.name,
      law: proof.law,
      breaches: Number(row?.n ?? 0n),
      examples: row?.examples ?? [],
    });
  }
  return results;
}

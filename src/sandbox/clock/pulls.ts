// What advancing the clock does to work that waits in real time: the writing half of the list of
// what is due.

/** What waits in real time; brought forward by `$2` in workspace `$1` as the clock advances. */
export const PULLS: readonly string[] = [
  ...[
    ...['attempt_job', 'transfer_job', 'dispute_answer_job', 'identity_job', 'erasure_job'],
    ...['payee_job', 'statement_cursor', 'mail'],
  ].map((table) => `update ${table} set due = due - $2::interval where workspace = $1`),
  ...['processor', 'vendor'].flatMap((book) => [
    `update ${book}_due set due = due - $2::interval where workspace = $1`,
    `update ${book}_notice set due = due - $2::interval
      where workspace = $1 and remaining > 0 and not posting`,
  ]),
  `update sandbox_wait set until = until - $2::interval
    where workspace = $1 and until > $now`,
];

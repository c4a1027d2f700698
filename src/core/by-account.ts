// How an account's rows are looked for. Their indexes hold a hash of it since the upgrade was
// finished, and itself before, so that a look-up names both.

/** SQL: the ledger entry `p` is in the chain of an account. */
export const inChain = (p: string, account: string): string =>
  `${p}.account_version is not null and ${p}.account_id = ${account}
    and uuid_hash_extended(${p}.account_id, 0) = uuid_hash_extended(${account}, 0)`;

/** SQL: the invoice `i` is one of a buyer. */
export const ofBuyer = (i: string, account: string): string =>
  `${i}.account_id = ${account} and uuid_hash(${i}.account_id) = uuid_hash(${account})`;

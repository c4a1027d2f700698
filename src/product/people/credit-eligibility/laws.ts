// Invariants of money and verification that `verify` checks: each query gives the rows that break
// one.
import { law, type Proof } from '../../../core/proof.ts';

export const laws: readonly Proof[] = [
  law('accrual_follows_identity',
    'An account may be credited exactly while it is verified or needs no verification.',
    `select w.id::text as what
      from (select workspace, account_id, id, id as holds from wallet
        union all select workspace, account_id, id, kept_back_id from wallet) w
      join kyc k on k.workspace = w.workspace and k.id = w.account_id
      join balance b on b.workspace = w.workspace and b.id = w.holds
      where b.accrues = (coalesce(k.requirements_before, k.requirements) = 'FULL_KYC'
        and k.state <> 'ACCEPT')`),
  law('kept_back_is_justified',
    'Funds are restricted only in reserve, or for accounts that may not be credited.',
    `select w.id::text as what from wallet w
      join balance b on b.workspace = w.workspace and b.id = w.kept_back_id
      left join reserve r on r.workspace = b.workspace and r.id = b.id
      where b.accrues and b.amount <> coalesce(r.held, 0)`),
  law('every_account_has_its_wallets',
    'Every account has an identity state and one wallet for each enabled currency.',
    `select a.id::text as what from account a
      join workspace_currency c on c.workspace = a.workspace
      left join wallet w on w.workspace = a.workspace and w.account_id = a.id
      and w.currency = c.currency
      left join kyc k on k.workspace = a.workspace and k.id = a.id
      where w.id is null or k.id is null`),
];

// Changes personal fields: the handler opens, changes and seals them; the command only swaps the
// blob, and only if nobody else did meanwhile.
import type { Command } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { refusals } from './refusals.ts';
import { accountPersonTable, accountTable } from './tables.ts';

/** A sealed blob to replace another. */
export interface UpdateInput {
  readonly account: string;
  /** The blob that was read. */
  readonly before: string;
  /** Null where the request changes nothing; then nothing is written. */
  readonly after: string | null;
  /** Whether there is an e-mail address now. */
  readonly has_email: boolean;
  /** The answer, sealed with the person's key: stored answers hold no personal data in clear. */
  readonly sealed_answer: string;
}

/** Swaps the sealed fields; refused after another change in between: the handler retries. */
export const updatePerson: Command<UpdateInput> = {
  name: 'update_person',
  load(rows, { account }) {
    const row = rows.read(accountTable, account);
    if (!row) return;
    rows.lock(accountTable, account);
    rows.lock(accountPersonTable, account);
  },
  decide(decision, { account, before, after, has_email, sealed_answer }) {
    if (decision.get(accountTable, account) === null) throw refuse(refusals.ACCOUNT_NOT_FOUND);
    if (decision.get(accountPersonTable, account)?.sealed !== before) {
      throw refuse(refusals.ACCOUNT_CHANGED_MEANWHILE, {}, 1);
    }
    const updated = decision.now;
    if (after !== null) {
      decision.update(accountPersonTable, account, { sealed: after, has_email, updated });
      decision.update(accountTable, account, { updated });
    }
    return { status: 200, payload: { sealed_answer } };
  },
};

// Payouts by file in the sandbox: plays the operators who collect, confirm and hand over what
// waits, and the bank that carries a payout out, rejects it or sends it back. Staging only. [G-91]
import { derivedUuid } from '../../core/ids.ts';
import { Refusal } from '../../core/refusal.ts';
import {
  confirmFile,
  handOverFile,
  makeFile,
  settleWord,
  type BankWord,
} from '../../product/money/payout-file/index.ts';
import type { Services } from '../../product/context.ts';
import type { OutsideEvent } from '../ports/cards.ts';
import { ensureSandboxBank } from './bank-api.ts';

const ACTOR = 'sandbox';
const [MAKER, SECOND] = [1, 2].map((n) => derivedUuid(`sandbox payout file operator ${n}`));

const WORDS: Partial<Readonly<Record<OutsideEvent, BankWord['what']>>> = {
  settle: 'debited',
  fail: 'rejected',
  return: 'returned',
};

type Parts = Pick<Services, 'db' | 'engine' | 'keys' | 'random'>;

/** Makes the event happen to a payout by file; null where the id names none. */
export async function happenInFile(
  services: Parts,
  workspace: number,
  id: string,
  event: OutsideEvent,
): Promise<'done' | 'refused' | null> {
  const [sent] = await services.db.query<{ id: string; state: string; currency: string }>({
    name: 'sandbox_file_payout',
    text: `select id, state, currency from transfer
      where workspace = $1 and rail = 'file' and $2 in (id::text, resource_id::text)
      order by id desc limit 1`,
    values: [workspace, id],
  });
  if (sent === undefined) return null;
  const what = WORDS[event];
  if (what === undefined) return 'refused';
  try {
    if (sent.state === 'waiting') await handOver(services, workspace, sent.currency);
    const whole = { amount: null, currency: null, reference: `sandbox ${event}` };
    await settleWord(services, { workspace, what, id: sent.id, ...whole, actor: ACTOR });
    return 'done';
  } catch (error) {
    if (error instanceof Refusal) return 'refused';
    throw error;
  }
}

/** Has all that waits in a currency handed over, as two operators would. */
async function handOver(services: Parts, workspace: number, currency: string): Promise<void> {
  await ensureSandboxBank(services, workspace, currency);
  const { file } = await makeFile(services, {
    ...{ workspace, currency, format: 'pain.001', mapping: null, executeOn: null },
    operator: MAKER ?? '',
  });
  const { file_id: fileId, sha256 } = file;
  const act = { workspace, fileId, operator: SECOND ?? '', sha256, dependent: [] };
  await confirmFile(services, act);
  await handOverFile(services, { workspace, fileId, actor: ACTOR });
}

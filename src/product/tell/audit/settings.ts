// Records the installation's settings in the audit trail whenever a process starts with other
// settings than the last one recorded.
import type { Database } from '../../../db/index.ts';
import { audit } from './entry.ts';

/** Writes an entry where the settings differ from the last recorded ones. None is a secret. */
export async function noteSettings(db: Database, settings: object): Promise<void> {
  const detail = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, JSON.stringify(value) ?? '']),
  );
  await db.transaction(async (tx) => {
    // The newest entry has the greatest id.
    const last = await tx.query<{ detail: string }>(
      `select detail from audit_entry where workspace = 0 and act = 'settings_changed'
        order by id desc limit 1`,
    );
    if (last[0]?.detail === JSON.stringify(detail)) return;
    await audit(tx, { workspace: 0, actor: 'system', act: 'settings_changed', detail });
  });
}

// What the database lets in, the law of the directories finds: access of an account that is not
// there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../../test/kit/database.ts';
import { runProofs } from '../../../ledger/index.ts';
import { laws } from './laws.ts';

const NOBODY = '01900000-0000-7000-8000-000000000000';

test('a link and a refresh token of nobody are found', async () => {
  const base = await testDatabase();
  try {
    const breaches = async (): Promise<readonly string[]> => {
      return (await runProofs(base.db, laws)).flatMap(({ examples }) => examples);
    };
    assert.deepEqual(await breaches(), []);
    await base.db.execute(`set session_replication_role = replica;
      insert into link (nonce_hash, id, workspace, client_id, account_id, mechanism, scopes,
        session_seconds, expires)
      values ('l', '${NOBODY}', 1, '${NOBODY}', '${NOBODY}', 'widget', '{}', 60, now());
      insert into refresh_token (token_hash, family, client_id, workspace, account_id, scopes,
        access_seconds, expires)
      values ('t', '${NOBODY}', '${NOBODY}', 1, '${NOBODY}', '{}', 60, now());
      set session_replication_role = origin`);
    assert.deepEqual([...(await breaches())].sort(), [`family ${NOBODY}`, `link ${NOBODY}`]);
  } finally {
    await base.drop();
  }
});

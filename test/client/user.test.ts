// The app's client against the real platform: a person's token, its renewal by the integrator's
// server, and the terms.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient, createUserClient, type UserToken } from '../../client/index.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { credentialsOf, watchedFetch } from './kit.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.stop());

/** What the integrator's server does when its app asks for a token of the person. */
async function tokenFor(account_id: string): Promise<UserToken> {
  const holdfast = createClient(credentialsOf(platform.ready));
  const answer = await holdfast.auth.authorizeUser({ account_id, return_token: true });
  assert.ok('token' in answer);
  return answer.token;
}

/** What it does when the token has ended. */
async function renewed(refresh_token: string): Promise<UserToken> {
  const holdfast = createClient(credentialsOf(platform.ready));
  return holdfast.auth.createToken({ grant_type: 'refresh_token', refresh_token });
}

async function person(username: string): Promise<string> {
  return (await platform.api.register(username)).account_id;
}

test('FALSE means that the person must agree, and after agreeing it is true', async () => {
  const app = createUserClient({ urls: platform.ready.urls });
  app.setToken(await tokenFor(await person('unsigned')));
  const completed: unknown[] = [];
  const told = await new Promise<boolean | null>((done) => {
    void app.getTosRequiredForUser((error, signedTos) => {
      completed.push(error, signedTos);
      done(signedTos);
    });
  });
  assert.deepEqual([told, completed], [false, [null, false]]);
  const { version, tos_content } = await app.accounts.getTerms();
  assert.ok(tos_content.length > 0);
  await app.agreeToTos(version);
  assert.equal(await app.getTosRequiredForUser(), true);
});

test('without a token nothing is sent, and the completion gets an error', async () => {
  const { fetch, seen } = watchedFetch();
  const app = createUserClient({ urls: platform.ready.urls, fetch });
  const failed = await new Promise<Error | null>((done) => {
    app.getTosRequiredForUser((error) => done(error)).catch(() => {});
  });
  assert.match(String(failed), /setToken/);
  assert.equal(seen.length, 0);
});

test('an ended token is renewed once for calls that come together', async () => {
  const account_id = await person('renewed');
  const token = await tokenFor(account_id);
  const asked: string[] = [];
  const app = createUserClient({
    urls: platform.ready.urls,
    renew: (refreshToken) => {
      asked.push(refreshToken);
      return renewed(refreshToken);
    },
  });
  app.setToken({ ...token, expiry: new Date(Date.now() - 1000).toISOString() });
  const both = await Promise.all([app.pii.getKYCStatus({ account_id }), app.pii.getKYCForm()]);
  assert.equal(both[0].account_id, account_id);
  assert.deepEqual(asked, [token.refresh_token]);
  const { access_token } = token;
  await createClient(credentialsOf(platform.ready)).auth.revokeToken({ token: access_token });
});

test('a token that was revoked is renewed when it is refused', async () => {
  const account_id = await person('revoked');
  const token = await tokenFor(account_id);
  const app = createUserClient({ urls: platform.ready.urls, renew: renewed });
  app.setToken(token);
  const holdfast = createClient(credentialsOf(platform.ready));
  await holdfast.auth.revokeToken({ token: token.access_token });
  assert.equal((await app.pii.getKYCStatus({ account_id })).account_id, account_id);
  const bare = createUserClient({ urls: platform.ready.urls });
  bare.setToken(token.access_token);
  await assert.rejects(bare.pii.getKYCStatus({ account_id }), { status: 401 });
});

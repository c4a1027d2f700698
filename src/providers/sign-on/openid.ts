// Single sign-on by OpenID Connect: the code flow with state, nonce and PKCE, which all follow from
// one secret in a cookie, so that nothing is stored and any node may finish. No token leaves here.
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Configuration } from 'openid-client';
import { HASHED } from '../../core/labels.ts';
import { SignOnFailed, type SignedOn, type SignOn, type SignOnSettings } from './port.ts';

const SECONDS = 10;
const AWAY = 'The identity provider does not answer as it should. Try again, or use a password.';
const REFUSED = 'The identity provider did not confirm who you are. Try again from the start.';

/** Null without settings. The library is loaded, and the provider asked, at the first use. */
export function openIdSignOn(settings: SignOnSettings | null): SignOn | null {
  if (settings === null) return null;
  let found: Promise<Configuration> | null = null;
  /** What was discovered; asked again after a failure. */
  const configuration = async (): Promise<Configuration> => {
    found ??= discover(settings);
    found.catch(() => (found = null));
    return found.catch((cause: unknown) => {
      throw new SignOnFailed(AWAY, { cause });
    });
  };
  return {
    issuer: settings.issuer,
    groups: settings.groups,
    begin: async (secret, back) => {
      const client = await import('openid-client');
      const { state, nonce, verifier } = derived(secret);
      return client.buildAuthorizationUrl(await configuration(), {
        ...{ redirect_uri: back, scope: settings.scope, state, nonce },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    finish: async (secret, url) => {
      const config = await configuration();
      return finish(settings, config, secret, url).catch((cause: unknown) => {
        throw new SignOnFailed(REFUSED, { cause });
      });
    },
    trouble: () => discover(settings).then(() => null, reasonOf),
  };
}

/** Fails where the issuer found is another than the one configured. */
async function discover({ issuer, clientId, secretFile }: SignOnSettings): Promise<Configuration> {
  const client = await import('openid-client');
  const secret = (await readFile(secretFile, 'utf8')).trim();
  const url = new URL(issuer);
  const open = url.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  return client.discovery(url, clientId, undefined, client.ClientSecretBasic(secret), {
    execute: [...open, client.enableNonRepudiationChecks],
    timeout: SECONDS,
  });
}

async function finish(
  { claim }: SignOnSettings,
  config: Configuration,
  secret: string,
  url: URL,
): Promise<SignedOn> {
  const client = await import('openid-client');
  const { state, nonce, verifier } = derived(secret);
  const tokens = await client.authorizationCodeGrant(config, url, {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
    idTokenExpected: true,
  });
  const stated = tokens.claims();
  if (stated === undefined) throw new Error('no id token');
  const { userinfo_endpoint: more } = config.serverMetadata();
  const claims =
    stated[claim] !== undefined || more === undefined
      ? stated
      : { ...(await client.fetchUserInfo(config, tokens.access_token, stated.sub)), ...stated };
  const groups = [claims[claim] ?? []].flat().filter((one) => typeof one === 'string');
  const text = (one: unknown): string | null => (typeof one === 'string' ? one : null);
  const username = text(claims['preferred_username']) ?? text(claims['email']);
  const email = claims['email_verified'] === false ? null : text(claims['email']);
  return { subject: stated.sub, name: text(claims['name']), username, email, groups };
}

function derived(secret: string) {
  const of = (what: string): string =>
    hash('sha256', `${HASHED.operatorSignOnTry}${what}:${secret}`, 'base64url');
  return { state: of('state'), nonce: of('nonce'), verifier: of('verifier') };
}

/** Why discovery failed, in one sentence without anything secret. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { message: deeper } = (cause ?? {}) as Partial<Error>;
  return `${message}${deeper === undefined ? '' : `: ${deeper}`}.`;
}

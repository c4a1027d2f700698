// The settings of single sign-on: all or none.
import { roleNamed, roleNames } from '../product/access/operator/index.ts';
import type { SignOnSettings } from '../providers/sign-on/port.ts';
import { ConfigError, text, type Environment } from './read.ts';

const NEEDED = [
  ...['HOLDFAST_SSO_CLIENT_ID', 'HOLDFAST_SSO_SECRET_FILE', 'HOLDFAST_SSO_GROUPS'],
];
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

/** The identity provider of the console; null for none. Throws a ConfigError. */
export function readSignOn(environment: Environment): SignOnSettings | null {
  const issuer = text(environment, 'HOLDFAST_SSO_ISSUER');
  const [clientId, secretFile, groups] = NEEDED.map((name) => text(environment, name));
  if (issuer === null && !clientId && !secretFile && !groups) return null;
  if (issuer === null || !clientId || !secretFile || !groups) {
    throw new ConfigError(`Single sign-on needs HOLDFAST_SSO_ISSUER, ${NEEDED.join(', ')}.`);
  }
  const { protocol, hostname } = URL.parse(issuer) ?? {};
  const isHere = protocol === 'http:' && LOOPBACK.test(hostname ?? '');
  if (protocol !== 'https:' && !isHere) {
    throw new ConfigError('HOLDFAST_SSO_ISSUER must be an https address.');
  }
  return {
    ...{ issuer, clientId, secretFile, groups: rolesOfGroups(groups) },
    claim: text(environment, 'HOLDFAST_SSO_CLAIM') ?? 'groups',
    scope: text(environment, 'HOLDFAST_SSO_SCOPE') ?? 'openid profile email',
  };
}

/** Read from `group=role,role; other group=role`. */
function rolesOfGroups(given: string): ReadonlyMap<string, readonly string[]> {
  const rows = given.split(';').filter((row) => row.trim() !== '');
  return new Map(
    rows.map((row) => {
      const at = row.lastIndexOf('=');
      const roles = row.slice(at + 1).split(',').map((name) => name.trim());
      const isWrong = roles.some((name) => roleNamed(name) === null);
      if (at < 1 || isWrong || roles.some((name) => roleNamed(name) === 'operator')) {
        throw new ConfigError(
          `HOLDFAST_SSO_GROUPS must be as in "Finance=accountant; Trust=reviewer,support", with ` +
            `roles of ${roleNames()}; no group makes an administrator, because that takes two.`,
        );
      }
      return [row.slice(0, at).trim(), roles] as const;
    }),
  );
}

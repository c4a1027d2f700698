// Answers for calls that can be pasted: one for a shell and one for the client, from one operation
// and its body. Words in braces stand for ids of the caller's own. Knows no scenario.
import type { HowFact } from '../../ports/sandbox-counterparties.ts';

/** Base addresses of the hosts that are called. */
export type CalledUrls = Readonly<Record<HowFact['host'], string>>;

/** What is called. */
export type Call = Omit<HowFact, 'curl' | 'sdk' | 'method'>;

/** Whose token opens a host's operation, as pasted calls name it and the client that holds it. */
const CALLERS = {
  invoicing: ['$TOKEN', 'holdfast'],
  pii: ['$USER_TOKEN', 'user'],
} as const satisfies Record<HowFact['host'], readonly [token: string, client: string]>;

/** A call with its texts. */
export function howTo(urls: CalledUrls, call: Call): HowFact {
  const { host, operation, path, body } = call;
  const [token, client] = CALLERS[host];
  const curl = [
    `curl -X POST ${urls[host]}${path} \\`,
    `  -H "authorization: Bearer ${token}" -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
  const sdk = `await ${client}.${host}.${operation}(${literal(body)});`;
  return { ...call, method: 'POST', curl, sdk };
}

/** An object as code; on one line where it is short. */
function literal(body: object): string {
  const code = (space: number): string =>
    JSON.stringify(body, null, space)
      .replaceAll(/"([a-z_0-9]+)":/g, '$1:')
      .replaceAll('"', "'");
  const short = code(1).replaceAll(/\n\s*/g, ' ');
  return short.length <= 70 ? short : code(2);
}

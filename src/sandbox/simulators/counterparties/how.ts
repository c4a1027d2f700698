// Makes calls to paste, one for a shell and one for the client, from an operation and its body.
// Words in braces stand for the caller's own ids.
import type { HowFact } from '../../ports/counterparties.ts';

/** Base URLs of the called hosts. */
export type CalledUrls = Readonly<Record<HowFact['host'], string>>;

/** What is called. */
export type Call = Omit<HowFact, 'curl' | 'sdk' | 'method'>;

/** Token and client by host, as pasted calls name them. */
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

/** An object as code; on one line if short. */
function literal(body: object): string {
  const code = (space: number): string =>
    JSON.stringify(body, null, space)
      .replaceAll(/"([a-z_0-9]+)":/g, '$1:')
      .replaceAll('"', "'");
  const short = code(1).replaceAll(/\n\s*/g, ' ');
  return short.length <= 70 ? short : code(2);
}

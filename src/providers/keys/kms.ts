// Wraps the master keys by a key that never leaves a key service with the API of AWS KMS. The
// package that calls it is loaded only where a key file names such a key.
import type { KMSClient } from '@aws-sdk/client-kms';

/** What a wrapped key is bound to: the service opens it for nothing else, and logs it. */
export type KmsContext = Readonly<Record<'installation' | 'key', string>>;

const HERE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;
const ARN = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:(?:key|alias)\/[\w/-]+$/;
/** A start waits no longer than all tries together: some 15 seconds. */
const TRIES = 4;
const CONNECT_MS = 1_000;
const ANSWER_MS = 3_000;

/** What the service's errors mean; any other one is named as it is. */
const WHY: Readonly<Record<string, string>> = {
  AccessDeniedException: 'it does not let these credentials use the key',
  CredentialsProviderError: 'there are no credentials for it: give them as to any client of AWS',
  DisabledException: 'the key is disabled',
  IncorrectKeyException: 'the master keys were wrapped by another key',
  InvalidCiphertextException: 'the key file is damaged, or mixed with that of another installation',
  KMSInvalidStateException: 'the key is disabled or is to be deleted',
  NotFoundException: 'it has no such key',
  PlainHttp: 'its address is http on another machine, and keys could be read on the way: use https',
  ThrottlingException: 'it takes no more calls now',
};

/** Wraps a key; the text is base64. */
export async function kmsWrap(arn: string, key: Buffer, context: KmsContext): Promise<string> {
  const { EncryptCommand } = await import('@aws-sdk/client-kms');
  const input = { KeyId: arn, Plaintext: key, EncryptionContext: context };
  const { CiphertextBlob } = await asked(arn, (client) => client.send(new EncryptCommand(input)));
  return Buffer.from(CiphertextBlob ?? []).toString('base64');
}

/** Unwraps what `kmsWrap` gave, by the same key and in the same context only. */
export async function kmsUnwrap(arn: string, blob: string, context: KmsContext): Promise<Buffer> {
  const { DecryptCommand } = await import('@aws-sdk/client-kms');
  const CiphertextBlob = Buffer.from(blob, 'base64');
  const input = { KeyId: arn, CiphertextBlob, EncryptionContext: context };
  const { Plaintext } = await asked(arn, (client) => client.send(new DecryptCommand(input)));
  return Buffer.from(Plaintext ?? []);
}

/** Keeps keys from another machine's http, wherever the address was found. */
const refusePlain = <In extends { request: unknown }, Out>(next: (given: In) => Promise<Out>) =>
  async (given: In): Promise<Out> => {
    const { protocol, hostname } = given.request as { protocol: string; hostname: string };
    if (protocol === 'https:' || HERE.test(hostname)) return next(given);
    throw Object.assign(new Error(hostname), { name: 'PlainHttp' });
  };

/** One call, with the credentials and the address that the package finds as it always does. */
async function asked<R>(arn: string, call: (client: KMSClient) => Promise<R>): Promise<R> {
  const [, region] = ARN.exec(arn) ?? [];
  if (region === undefined) {
    throw new Error(`${arn} is not the ARN of a key, arn:aws:kms:<region>:<account>:key/<id>.`);
  }
  const { KMSClient: Client } = await import('@aws-sdk/client-kms');
  const limits = { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS };
  const requestHandler = { ...limits, throwOnRequestTimeout: true };
  const client = new Client({ region, maxAttempts: TRIES, requestHandler });
  client.middlewareStack.add(refusePlain, { step: 'build' });
  try {
    return await call(client);
  } catch (cause) {
    const { name = '', code } = cause as { name?: string; code?: unknown };
    const why = WHY[name] ?? `it does not answer as it should (${String(code ?? name)})`;
    throw new Error(`The key service cannot be used for ${arn}: ${why}.`, { cause });
  } finally {
    client.destroy();
  }
}

// A key service with the API of AWS KMS, over a socket that breaks. Its key never leaves it, and
// what it wraps opens in its own context only.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Place } from '../../src/core/labels.ts';
import { openBytes, sealBytes } from '../../src/core/sealing.ts';
import { OF_SOCKETS, type Draws, type Fault } from './draws.ts';

const REFUSALS = [
  [400, 'ThrottlingException'],
  [500, 'KMSInternalException'],
  [503, 'DependencyTimeoutException'],
] as const;
type Refusal = (typeof REFUSALS)[number];
/** Twice as long as a caller may wait. */
const SILENT_MS = 6_000;
/** A call is tried so often; a fault may last that long. */
const TRIES = 4;

/** A running service. */
export interface KeyService {
  /** By which the package of AWS finds it. */
  readonly settings: Readonly<Record<string, string>>;
  /** The key that it wraps by. */
  readonly arn: string;
  draws: Draws;
  /** Calls that still waited when a silent service spoke at last, or were not tried again. */
  troubles(): readonly string[];
  close(): Promise<void>;
}

type Wrapping = Readonly<Record<string, string>> & {
  readonly EncryptionContext: Readonly<Record<string, string>>;
};

/** Faults that some of the tries of a call share, or all. */
class Lasting {
  /** Calls whose fault ends before their last try, until they are tried after it. */
  readonly unfinished = new Map<string, string>();
  readonly #begun = new Map<string, { readonly fault: Fault; left: number }>();

  faultOf(draws: Draws, id: string, place: string): Fault | null {
    const begun = this.#begun.get(id);
    if (begun !== undefined) {
      begun.left -= 1;
      if (begun.left >= 0) return begun.fault;
      this.unfinished.delete(id);
      return null;
    }
    const fault = draws.at(place, OF_SOCKETS);
    if (fault === null) return null;
    // Silence costs all the time that a call may take.
    const left = draws.detail(place) % (fault === 'late' ? 2 : TRIES);
    this.#begun.set(id, { fault, left });
    if (left < TRIES - 1) this.unfinished.set(id, `${place}: ${fault}, not tried again`);
    return fault;
  }
}

/** Opens one on a loopback port. */
export async function openKeyService(draws: Draws): Promise<KeyService> {
  const waited: string[] = [];
  const service = { arn: 'arn:aws:kms:eu-west-1:111122223333:key/broken', draws };
  const key = randomBytes(32);
  const lasting = new Lasting();
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const place = `keys.${call.toLowerCase()}`;
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Wrapping;
    const id = String(request.headers['amz-sdk-invocation-id']);
    const fault = lasting.faultOf(service.draws, id, place);
    const [status, said] = fault === 'lost before' ? [0, {}] : carriedOut(key, service.arn, body);
    if (fault === 'lost before' || fault === 'lost after') return void request.socket.destroy();
    const say = (of: number, what: object): void => {
      response.writeHead(of, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(what));
    };
    if (fault === 'refused') {
      const refusal = REFUSALS[service.draws.detail(place) % REFUSALS.length] as Refusal;
      return say(refusal[0], { __type: refusal[1] });
    }
    if (fault !== 'late') return say(status, said);
    const timer = setTimeout(() => {
      waited.push(`${place}: waited`);
      say(status, said);
    }, SILENT_MS);
    request.socket.once('close', () => clearTimeout(timer));
  }

  await new Promise<void>((listening) => server.unref().listen(0, '127.0.0.1', listening));
  return Object.assign(service, {
    settings: {
      AWS_ENDPOINT_URL_KMS: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...{ AWS_ACCESS_KEY_ID: 'us', AWS_SECRET_ACCESS_KEY: 'secret' },
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    troubles: () => [...waited, ...lasting.unfinished.values()],
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  });
}

/** The answer of a service that is well: its status, and what it says. */
function carriedOut(key: Buffer, arn: string, asked: Wrapping): readonly [number, object] {
  const { KeyId, Plaintext, CiphertextBlob = '', EncryptionContext } = asked;
  if (KeyId !== arn) return [400, { __type: 'NotFoundException' }];
  const context = JSON.stringify(Object.entries(EncryptionContext).toSorted()) as Place;
  const bytes = Buffer.from(Plaintext ?? CiphertextBlob, 'base64');
  if (Plaintext !== undefined) {
    const sealed = sealBytes(key, randomBytes(12), bytes, context);
    return [200, { KeyId, CiphertextBlob: sealed.toString('base64') }];
  }
  try {
    return [200, { KeyId, Plaintext: openBytes(key, bytes, context).toString('base64') }];
  } catch {
    return [400, { __type: 'InvalidCiphertextException' }];
  }
}

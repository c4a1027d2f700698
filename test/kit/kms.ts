// A key service with the API of AWS KMS that nobody here wrote: moto, behind a front that can
// refuse or lose what it is asked.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { installForeign, serve } from './foreign.ts';

const START = `
import logging
from werkzeug.serving import make_server
from moto.server import DomainDispatcherApplication, create_backend_app
logging.getLogger('werkzeug').setLevel(logging.CRITICAL)
server = make_server('127.0.0.1', 0, DomainDispatcherApplication(create_backend_app), threaded=True)
print(server.server_port, flush=True)
server.serve_forever()
`;
const REGION = 'eu-west-1';

/** What moto does not do by itself. */
interface Mood {
  /** The number of calls to refuse next as too many. */
  throttles: number;
  isAway: boolean;
  /** A key that is disabled. */
  disabled: string;
}

export interface KeyService {
  /** By which the package of AWS finds it, and who it takes us for. */
  readonly settings: Readonly<Record<string, string>>;
  readonly mood: Mood;
  /** The names of all calls so far. */
  readonly calls: string[];
  /** Makes a key; gives its ARN. */
  makeKey(): Promise<string>;
  close(): Promise<void>;
}

export async function startKeyService(): Promise<KeyService> {
  const moto = await serve(installForeign().python, ['-c', START], /^(\d+)$/);
  const mood: Mood = { throttles: 0, isAway: false, disabled: '' };
  const calls: string[] = [];
  const front = await listening(mood, calls, moto.url);
  const { port } = front.address() as AddressInfo;
  const credentials = { accessKeyId: 'us', secretAccessKey: 'secret' };
  const admin = new KMSClient({ region: REGION, endpoint: moto.url, credentials });
  return {
    settings: {
      AWS_ENDPOINT_URL_KMS: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'us',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    mood,
    calls,
    async makeKey() {
      const { KeyMetadata } = await admin.send(new CreateKeyCommand({}));
      return KeyMetadata?.Arn ?? '';
    },
    async close() {
      admin.destroy();
      front.closeAllConnections();
      front.close();
      await moto.stop();
    },
  };
}

async function listening(mood: Mood, calls: string[], behind: string): Promise<Server> {
  const front = createServer((request, response) => {
    const target = String(request.headers['x-amz-target']);
    calls.push(target.split('.')[1] ?? '');
    if (mood.isAway) return void request.socket.destroy();
    const type = 'application/x-amz-json-1.1';
    const answer = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': type });
      response.end(text);
    };
    void request.toArray().then(async (pieces: Buffer[]) => {
      const body = Buffer.concat(pieces).toString();
      mood.throttles -= 1;
      if (mood.throttles >= 0) return answer(400, '{"__type": "ThrottlingException"}');
      const { KeyId } = JSON.parse(body) as { KeyId: string };
      if (KeyId === mood.disabled) return answer(400, '{"__type": "DisabledException"}');
      const { authorization = '' } = request.headers;
      const headers = { authorization, 'x-amz-target': target, 'content-type': type };
      const reply = await fetch(behind, { method: 'POST', headers, body });
      return answer(reply.status, await reply.text());
    });
  });
  return new Promise((resolve) => {
    front.listen(0, '127.0.0.1', () => resolve(front));
  });
}

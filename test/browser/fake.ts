// The pages without the platform: serves the real bundles with made-up answers, so that a flow can
// be seen and tried alone. Run by hand with a flow's name it prints a URL; tests of the platform
// never use it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { buildBundles } from '../../src/pages/bundles.ts';
import { renderPage, type Boot } from '../../src/pages/flow-page.ts';
import { offeredLanguages, textFile } from '../../src/pages/text-files.ts';

/** What a made-up operation answers: a payload, or a status with codes. */
export type FakeAnswer =
  | { readonly payload: unknown }
  | {
      readonly status: number;
      readonly codes: readonly string[];
      readonly message?: string;
      readonly errors?: Readonly<Record<string, string>>;
    };

/** By `GET /payments/v1/a1/payment_methods`; `{x}` in a path stands for any one part. */
export type FakeAnswers = Readonly<
  Record<string, (body: unknown, path: string) => FakeAnswer | Promise<FakeAnswer>>
>;

/** A fake that runs. */
export interface Fake {
  /** Address of the page. */
  readonly url: string;
  stop(): Promise<void>;
}

const LOOK = { background_color: '#ffffff', primary_color: '#1f5fbf', logo: '' };

/** Serves one flow on a page of its own; the session's fields may differ from the usual ones. */
export async function startFake(
  flow: string,
  answers: FakeAnswers,
  session: Readonly<Record<string, unknown>> = {},
  boot: Partial<Boot> = {},
): Promise<Fake> {
  const { assets, script, style } = await buildBundles();
  const page = renderPage({
    boot: {
      word: 'service',
      env: 'staging',
      link: 'unused',
      handle: '',
      flow,
      flow_query: null,
      integrator_name: 'Market of Things',
      frame_origins: [],
      return_url: null,
      home: null,
      contact: '',
      mails: null,
      look: LOOK,
      dir: 'ltr',
      dir_fixed: false,
      language: 'en',
      languages: offeredLanguages(),
      failed: '',
      ...boot,
    },
    title: flow,
    preview: '',
    script,
    style,
    sentence: '',
    noScript: '',
  });
  const all: FakeAnswers = {
    'POST /session': () => ({ payload: { ...sessionOf(flow), ...session } }),
    'POST /session/end': () => ({ payload: {} }),
    ...answers,
  };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://fake').pathname;
    const name = path.replace('/ui/assets/', '');
    const asset = assets[name] ?? textFile(name);
    if (asset !== undefined) end(response, 200, asset.type, asset.text);
    else if (path.startsWith('/ui/api/')) await answer(all, request, path.slice(7), response);
    else end(response, 200, 'text/html; charset=utf-8', page);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/ui/appauth/nonce`,
    stop: () => new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    }),
  };
}

function sessionOf(flow: string): Record<string, unknown> {
  return {
    flow,
    mechanism: 'widget',
    account_id: 'acct_fake',
    integrator: 'integrator_fake',
    integrator_name: 'Market of Things',
    authorized_invoice_id: '',
    is_escrow: false,
    scopes: [],
    to_agree: null,
    access_token: 'fake-token',
    expires_in: 3_600,
  };
}

async function answer(
  answers: FakeAnswers,
  request: IncomingMessage,
  path: string,
  response: ServerResponse,
): Promise<void> {
  const asked = `${request.method} ${path}`.split('/');
  const found = Object.entries(answers).find(([pattern]) => {
    const parts = pattern.split('/');
    const fits = (part: string, at: number): boolean => /^\{.*\}$/.test(part) || part === asked[at];
    return parts.length === asked.length && parts.every(fits);
  });
  const hasBody = request.headers['content-type'] !== undefined;
  const body: unknown = hasBody ? await json(request).catch(() => null) : null;
  const unknown: FakeAnswer = { status: 404, codes: ['NOT_FOUND'], message: 'The fake lacks it.' };
  const given = found === undefined ? unknown : await found[1](body, path);
  const type = 'application/json';
  if ('payload' in given) {
    const success = { status: 'Success', message: [], codes: [], payload: given.payload };
    end(response, 200, type, JSON.stringify(success));
    return;
  }
  const { status, codes, message = 'A sentence.', errors = {} } = given;
  const payload = { error: message, errors };
  const failure = { status: 'Failure', message: [message], codes, payload };
  end(response, status, type, JSON.stringify(failure));
}

function end(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'Content-Type': type }).end(text);
}

if (import.meta.main) {
  const fake = await startFake(process.argv[2] ?? 'checkout', {});
  process.stdout.write(`${fake.url}\n`);
}

// The TLS proxy before a production start: it has the public names and their certificate, and
// passes everything on to the one port that serves all hosts, as Caddy or nginx does.
import { writeFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { selfSigned } from '../certificate.ts';
import { DOMAIN } from './names.ts';

export interface Front {
  readonly port: number;
  /** With these a program finds the public names here and trusts the certificate. */
  readonly env: Readonly<Record<string, string>>;
  stop(): void;
}

/** Opens the proxy before a port; this process trusts it too. */
export async function openFront(to: number, folder: string): Promise<Front> {
  const { key, cert } = selfSigned(`*.${DOMAIN}`);
  const file = join(folder, 'public.pem');
  writeFileSync(file, cert);
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  const server = createServer({ key, cert }, (person) => {
    const service = connect(to, '127.0.0.1');
    person.on('error', () => service.destroy()).pipe(service);
    service.on('error', () => person.destroy()).pipe(person);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  // curl reads its own file of settings.
  const settings = [`connect-to = "::127.0.0.1:${port}"`, `cacert = "${file}"`, 'silent'];
  writeFileSync(join(folder, '.curlrc'), `${settings.join('\n')}\n`);
  const names = new URL('names.ts', import.meta.url).href;
  const env = {
    NODE_OPTIONS: `--import ${names}`,
    NODE_EXTRA_CA_CERTS: file,
    CURL_HOME: folder,
  };
  return { port, env, stop: () => server.close() };
}

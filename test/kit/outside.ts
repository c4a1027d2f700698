// A project of others that uses the packages of the workspaces: packed by npm from a copy of the
// checkout, and installed by npm without a network, since they depend on nothing.
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { ran } from './containers.ts';
import { CHECKOUT, copyCheckout, freeBlock, linkTree } from '../start/launch.ts';
import type { Ready } from './api.ts';

/** Packs the workspaces in `folder`; gives their archives. */
export function packWorkspaces(folder: string): readonly string[] {
  const source = join(folder, 'source');
  copyCheckout(source);
  const into = join(folder, 'archives');
  mkdirSync(into);
  ran('npm', ['pack', '--silent', '--workspaces', '--pack-destination', into], {}, source);
  return readdirSync(into).map((name) => join(into, name));
}

/** An empty project with the archives installed, and the named packages of the checkout. */
export function outsideProject(
  project: string,
  archives: readonly string[],
  beside: readonly string[] = [],
): void {
  mkdirSync(project);
  const about = { name: 'shop', version: '1.0.0', private: true, type: 'module' };
  writeFileSync(join(project, 'package.json'), JSON.stringify(about));
  ran('npm', ['install', '--silent', '--offline', ...archives], {}, project);
  for (const name of beside) {
    const target = join(project, 'node_modules', name);
    mkdirSync(join(target, '..'), { recursive: true });
    linkTree(join(CHECKOUT, 'node_modules', name), target);
  }
}

/** The contract of the client in the project, with what it is given. */
export async function placeContract(project: string, ready: Ready): Promise<void> {
  const nowhere = `http://127.0.0.1:${await freeBlock()}`;
  const given = JSON.stringify({ ready, request: delivery(), nowhere });
  cpSync(join(CHECKOUT, 'test/client/contract'), project, { recursive: true });
  writeFileSync(join(project, 'given.mjs'), `export default ${given};\n`);
}

/** What the contract sees where everything is as promised. */
export const CONTRACT = {
  paid: 'success',
  once: true,
  refused: [true, 400, ['INVOICE_NOT_OPEN']],
  late: [true, ['TIMED_OUT']],
  lost: ['NETWORK_FAILED'],
  nobody: ['TOKEN_MISSING'],
  event: 'kyc-webhook',
  forged: [true, 'SIGNATURE_INVALID'],
} as const;

/** A delivery signed as the platform signs, with its secret. */
function delivery(): { secret: string; headers: Record<string, string>; body: string } {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const body = JSON.stringify({ event_name: 'kyc-webhook', message: { state: 'ACCEPT' } });
  const at = new Date();
  const headers = {
    'webhook-id': 'evt',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt', at, body),
  };
  return { secret, headers, body };
}

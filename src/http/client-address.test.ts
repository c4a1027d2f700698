// Client addresses: X-Forwarded-For counts only from a trusted proxy.
import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { test } from 'node:test';
import { senders, type ClientAddressOf } from './client-address.ts';

const proxies = new BlockList();
proxies.addSubnet('127.0.0.0', 8, 'ipv4');
proxies.addSubnet('10.0.0.0', 8, 'ipv4');
proxies.addAddress('::1', 'ipv6');
const clientAddressOf = senders(proxies);

const CASES: readonly (readonly [string | undefined, string | undefined, string])[] = [
  ['8.8.8.8', undefined, '8.8.8.8'],
  // Untrusted claim.
  ['8.8.8.8', '1.1.1.1', '8.8.8.8'],
  ['192.168.0.1', '1.1.1.1', '192.168.0.1'],
  // What our proxy saw comes last; what stands before it came from the client.
  ['127.0.0.1', '1.1.1.1, 198.51.100.9', '198.51.100.9'],
  ['::1', '1.1.1.1,198.51.100.9', '198.51.100.9'],
  ['::ffff:127.0.0.1', '198.51.100.9', '198.51.100.9'],
  ['127.0.0.1', '1.1.1.1, 198.51.100.9, 10.1.2.3', '198.51.100.9'],
  ['127.0.0.1', '10.9.9.9', '10.9.9.9'],
  ['127.0.0.1', undefined, '127.0.0.1'],
  // A hop that is no address ends the chain.
  ['127.0.0.1', 'nonsense', '127.0.0.1'],
  ['127.0.0.1', '1.1.1.1, ', '127.0.0.1'],
  ['127.0.0.1', '1.1.1.1, 0x7f.1', '127.0.0.1'],
  ['127.0.0.1', '1.1.1.1, x, 10.1.2.3', '10.1.2.3'],
  [undefined, '1.1.1.1', 'unknown'],
  // IPv6 counts by network.
  ['2a00:1450:4001:81b::1', undefined, '2a00:1450:4001:81b'],
  ['fe80::1%eth0', undefined, 'fe80:0:0:0'],
  ['127.0.0.1', '2a00:1450:4001:81b:9::2', '2a00:1450:4001:81b'],
  ['::ffff:8.8.4.4', undefined, '8.8.4.4'],
];

for (const [remoteAddress, noted, sender] of CASES) {
  test(`${remoteAddress} that forwards for ${noted} is ${sender}`, () => {
    const headers = noted === undefined ? {} : { 'x-forwarded-for': noted };
    const request = { headers, socket: { remoteAddress } } as Parameters<ClientAddressOf>[0];
    assert.equal(clientAddressOf(request), sender);
  });
}

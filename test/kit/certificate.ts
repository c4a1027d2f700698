// A self-signed certificate for a test server, made with Node's own cryptography: the few fields of
// X.509 that a client checks, written as DER.
import { generateKeyPairSync, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const ECDSA_WITH_SHA256 = tlv(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');
const VERSION_3 = Buffer.from('a003020102', 'hex');
const DAY_MS = 86_400_000;

/** One element: its tag, its length, its content. */
function tlv(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const long = body.length < 0x80 ? [] : [0x82, body.length >> 8];
  return Buffer.concat([Buffer.from([tag, ...long, body.length & 0xff]), body]);
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return tlv(0x17, Buffer.from(`${digits}Z`));
}

/** A key and a certificate of this DNS name, valid for a day; both PEM. */
export function selfSigned(host: string): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = tlv(
    SEQUENCE,
    tlv(0x31, tlv(SEQUENCE, COMMON_NAME, tlv(0x0c, Buffer.from(host)))),
  );
  const names = tlv(0x04, tlv(SEQUENCE, tlv(0x82, Buffer.from(host))));
  const signed = tlv(
    SEQUENCE,
    VERSION_3,
    tlv(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    tlv(SEQUENCE, utcTime(Date.now() - DAY_MS), utcTime(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, tlv(SEQUENCE, tlv(SEQUENCE, ALTERNATIVE_NAME, names))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', signed, privateKey)]);
  const base64 = tlv(SEQUENCE, signed, ECDSA_WITH_SHA256, tlv(0x03, signature)).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

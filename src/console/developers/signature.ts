// How a delivery is signed, in steps whose values a developer compares with their own, and a
// command that repeats it. The secret is in neither. [G-62]
import { hash } from 'node:crypto';
import { html, type Html } from '../../markup/html.ts';
import type { EndpointRow, SignedDelivery } from '../../product/tell/webhook/index.ts';
import { definitions, verbatim } from '../blocks.ts';

const HMAC = `# WEBHOOK_SECRET is whsec_..., ID and TIMESTAMP the headers, body.json the exact bytes
KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
{ printf '%s.%s.' "$ID" "$TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64`;

const ED25519 = `# PUBLIC_KEY is whpk_..., SIGNATURE what follows v1a, in the header
{ printf '\\060\\052\\060\\005\\006\\003\\053\\145\\160\\003\\041\\000'
  printf %s "\${PUBLIC_KEY#whpk_}" | base64 -d; } > key.der
{ printf '%s.%s.' "$ID" "$TIMESTAMP"; cat body.json; } > signed.bin
printf %s "$SIGNATURE" | base64 -d > signature.bin
openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin \\
  -in signed.bin -sigfile signature.bin`;

const CLIENT = `import { verifyWebhook } from 'holdfast/webhooks';

// body: the bytes that came, before anything parses them
const event = await verifyWebhook({ secret, headers: request.headers, body });`;

/** The steps from the headers and the body to the signature, each with its value. */
export function stepsOf(
  { headers, body }: SignedDelivery,
  { signing, public_key, rotating_until }: EndpointRow,
): Html {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers;
  const content = `${id}.${timestamp}.${body}`;
  const bytes = Buffer.byteLength(content);
  const isShared = signing === 'v1';
  const key = isShared
    ? 'The bytes that the base64 after whsec_ stands for, not its letters'
    : html`The public key <code>${public_key}</code>`;
  const signed = isShared
    ? 'HMAC-SHA256 of step 3 with that key, in base64, after "v1,"'
    : 'ed25519 over step 3, in base64, after "v1a,"';
  return html`${definitions([
    ['1. webhook-id', html`<code>${id}</code>`],
    ['2. webhook-timestamp', html`<code>${timestamp}</code> seconds since 1970`],
    ['3. What is signed', html`<code>${id}.${timestamp}.</code> and the body: ${bytes} bytes`],
    ['Its SHA-256', html`<code>${hash('sha256', content)}</code>`],
    ['4. Key', key],
    ['5. Signature', signed],
    ['6. webhook-signature', html`<code>${headers['webhook-signature']}</code>${
      rotating_until !== null && ' One by each secret that is active: take either.'
    }`],
  ])}
<p>If your SHA-256 of step 3 differs, your body is not the bytes that came: it was parsed and
written anew, or cut. If it is the same and the signature differs, your secret is another.</p>
<h3>With our client</h3>${verbatim('With our client', CLIENT)}
<h3>With openssl</h3>${verbatim('With openssl', isShared ? HMAC : ED25519)}`;
}

/** A word of a shell that stands for exactly this text. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A command that sends the delivery to the handler of a developer. */
export function curlOf({ headers, body }: SignedDelivery): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const to = '"${HANDLER:-http://localhost:3000/webhooks}"';
  return [`curl -sS -i ${to}`, ...lines, `--data-binary ${quoted(body)}`].join(' \\\n  ');
}

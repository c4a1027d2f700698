// How a second factor is handed over: as a QR code for an authenticator app, made here so that the
// secret goes to nobody else, and in text for whoever cannot scan it.
import { encode } from 'uqr';
import { html, type Html, type Shown } from '../markup/html.ts';
import { definitions } from './blocks.ts';

/** Light modules around the code, as scanners expect. */
const BORDER = 4;

function qrCode(text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" role="img" aria-label="The authenticator link, to scan"
 viewBox="0 0 ${size} ${size}" width="208" height="208"><path d="${dark.join('')}"/></svg>`;
}

/** How somebody signs in: what is given, such as the username, and the secret of the codes. */
export function signsInWith(
  given: readonly (readonly [label: string, value: Shown])[],
  factor: { readonly totp_secret: string; readonly totp_address: string },
): Html {
  return html`<p>Scan this with an authenticator app, or enter the secret there.</p>
${qrCode(factor.totp_address)}${definitions([
  ...given,
  ['Authenticator secret', html`<span class="code">${factor.totp_secret}</span>`],
  ['Authenticator link', html`<span class="code">${factor.totp_address}</span>`],
])}`;
}

// How a second factor is handed over: as a QR code for an authenticator app, made here so that the
// secret goes to nobody else, and in text for whoever cannot scan it.
import { encode } from 'uqr';
import { html, type Html } from '../markup/html.ts';

/** Light modules around the code, as scanners expect. */
const BORDER = 4;

function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}"
 width="192" height="192"><path d="${dark.join('')}"/></svg>`;
}

/** Rows of a definition list: the secret as a picture and in text. */
export function secondFactor({
  totp_secret,
  totp_address,
}: {
  readonly totp_secret: string;
  readonly totp_address: string;
}): readonly (readonly [string, Html])[] {
  return [
    ['Scan with an authenticator', qrCode(totp_address, 'QR code of the authenticator link')],
    ['Authenticator secret', html`<span class="code">${totp_secret}</span>`],
    ['Authenticator link', html`<span class="code">${totp_address}</span>`],
  ];
}

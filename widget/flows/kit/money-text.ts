// How an amount is written: currency code, a space, grouped digits. The server's own text is used
// if there is one. [G-48]

/** Decimals of a currency: 2 for USD, 0 for JPY. */
export function minorDigits(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** `USD 1,234.50` for 123450 minor units. */
export function moneyText(minor: number, currency: string): string {
  const digits = minorDigits(currency);
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${currency} ${(minor / 10 ** digits).toLocaleString('en', options)}`;
}

/** The server's `USD 1234.50` with grouped digits. */
export function groupDigits(display: string): string {
  return display.replace(/\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
}

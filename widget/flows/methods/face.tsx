// How a payment method looks in a row: a glyph, its name, and a quieter line.
import {
  BankGlyph,
  CardGlyph,
  LoginGlyph,
  moneyText,
  WalletGlyph,
  type RowFace,
} from '../kit/index.ts';
import { hasExpired, type PaymentMethod } from './choice.ts';

/** The glyph of a method. */
export function MethodGlyph({ method }: { readonly method: PaymentMethod }) {
  if (method.provider === 'wallet') return <WalletGlyph />;
  if (method.provider === 'ach') return <BankGlyph />;
  if (method.provider === 'paypal') return <LoginGlyph />;
  if (method.provider === 'once' && method.method_class !== 'card') return <BankGlyph />;
  return <CardGlyph brand={method.method_class} />;
}

/** `USD 1,000.00` in a wallet. */
export function balanceText({ wallet_balance, processing_currency }: PaymentMethod): string {
  return moneyText(Number(wallet_balance), processing_currency);
}

/** Expiry, whether it is the default, whether it is kept: `Expires 12/31 · Default`. */
function standingOf(method: PaymentMethod): string {
  const { expires = '', is_default, kept } = method;
  const [year = '', month = ''] = expires.split('-');
  const until = `${month}/${year.slice(2)}`;
  const words = [
    expires !== '' && (hasExpired(method) ? `Expired ${until}` : `Expires ${until}`),
    is_default === true && 'Default',
    kept === false && 'Not kept after this order',
  ];
  return words.filter(Boolean).join(' · ');
}

/** What a row shows of a method. */
export function faceOf(method: PaymentMethod): RowFace {
  const icon = <MethodGlyph method={method} />;
  if (method.provider === 'once') {
    return { icon, title: method.display_string, detail: 'Without saving anything' };
  }
  if (method.provider !== 'wallet') {
    const detail = standingOf(method);
    return { icon, title: method.display_string, ...(detail !== '' && { detail }) };
  }
  return { icon, title: 'Your balance', detail: balanceText(method) };
}

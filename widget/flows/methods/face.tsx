// How a payment method looks in a row: a glyph, its name, and a quieter line.
import {
  BankGlyph,
  CardGlyph,
  LoginGlyph,
  moneyText,
  WalletGlyph,
  type RowFace,
} from '../kit/index.ts';
import type { PaymentMethod } from './choice.ts';

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

/** What a row shows of a method. */
export function faceOf(method: PaymentMethod): RowFace {
  const icon = <MethodGlyph method={method} />;
  if (method.provider === 'once') {
    return { icon, title: method.display_string, detail: 'Without saving anything' };
  }
  if (method.provider !== 'wallet') return { icon, title: method.display_string };
  return { icon, title: 'Your balance', detail: balanceText(method) };
}

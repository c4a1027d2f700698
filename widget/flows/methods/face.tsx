// How a payment method looks in a row: a glyph, its name, and a quieter line.
import {
  amountText,
  BankGlyph,
  CardGlyph,
  LoginGlyph,
  methodName,
  plainAmount,
  WalletGlyph,
  type RowFace,
} from '../kit/index.ts';
import { hasExpired, type PaymentMethod } from './choice.ts';
import { t } from '../texts.ts';

/** The glyph of a method. */
export function MethodGlyph({ method }: { readonly method: PaymentMethod }) {
  if (method.provider === 'wallet') return <WalletGlyph />;
  if (['ach', 'bank', 'payee'].includes(method.provider)) return <BankGlyph />;
  if (method.provider === 'paypal') return <LoginGlyph />;
  if (method.provider === 'once' && method.method_class !== 'card') return <BankGlyph />;
  return <CardGlyph brand={method.method_class} />;
}

/** What is in a wallet, as the server would write it. */
export function plainBalance({ wallet_balance, processing_currency }: PaymentMethod): string {
  return plainAmount(Number(wallet_balance), processing_currency);
}

/** Expiry, whether it is the default, whether it is kept: `Expires 12/31 · Default`. */
function standingOf(method: PaymentMethod): string {
  const { expires = '', is_default, kept } = method;
  const [year = '', number = ''] = expires.split('-');
  const month = `${number}/${year.slice(2)}`;
  const words = [
    expires !== '' && (t(hasExpired(method) ? 'methods.expired' : 'methods.expires', { month })),
    is_default === true && t('methods.default'),
    kept === false && t('methods.not_kept'),
  ];
  return words.filter(Boolean).join(' · ');
}

/** What a row shows of a method. */
export function faceOf(method: PaymentMethod): RowFace {
  const icon = <MethodGlyph method={method} />;
  const title = methodName(method.display_string);
  if (method.provider === 'once') {
    return { icon, title, detail: t('methods.once_detail') };
  }
  if (method.provider !== 'wallet') {
    const detail = standingOf(method);
    return { icon, title, ...(detail !== '' && { detail }) };
  }
  return { icon, title: t('methods.balance'), detail: amountText(plainBalance(method)) };
}

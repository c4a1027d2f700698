// The first sale as shell commands to paste: token, invoice, payment and result, with the URLs and
// ids of the ready line.

type Facts = Readonly<Record<string, unknown>>;

/**
 * Commands for sh, bash and zsh that need only curl; null if the ready line lacks what they need. A
 * refusal shows its codes.
 */
export function firstCall(ready: Facts): string | null {
  const [auth, invoicing] = [textAt(ready, 'urls', 'auth'), textAt(ready, 'urls', 'invoicing')];
  const id = textAt(ready, 'client', 'client_id');
  const secret = textAt(ready, 'client', 'client_secret');
  const buyer = textAt(ready, 'accounts', 'buyer', 'account_id');
  const method = textAt(ready, 'accounts', 'buyer', 'wallet_payment_method_id');
  const wallet = textAt(ready, 'accounts', 'seller', 'wallet_id');
  if ([auth, invoicing, id, secret, buyer, method, wallet].includes(null)) return null;
  const sale = {
    account_id: buyer,
    reference_type: 'order',
    reference_id: '1000',
    payment_methods: [{ payment_method_id: method }],
    line_items: [
      {
        amount: 2500,
        currency: 'USD',
        transaction_type: 'user_to_user',
        product_sku: 'MUG-1',
        recipients: [{ amount: 2500, currency: 'USD', destination_wallet_id: wallet }],
      },
    ],
  };
  return [
    `TOKEN=$(curl -sS ${auth}/token -d grant_type=client_credentials \\`,
    `  -d client_id=${id} -d client_secret=${secret} |`,
    `  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    'call() { curl -s -H "authorization: Bearer $TOKEN" "$@"; }',
    `INVOICE=$(call ${invoicing}/v2/invoice -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(sale)}' |`,
    `  sed 's/.*"invoice_id":"\\([^"]*\\)".*/\\1/')`,
    'echo "invoice $INVOICE"',
    `call -X POST "${invoicing}/v2/invoice/$INVOICE/pay" | grep -oE '${STATE_OR_CODES}'`,
    'for TRY in 1 2 3 4 5 6 7 8 9; do',
    `  call "${invoicing}/v2/invoice/$INVOICE" | grep -oE '${ENDED}' && break`,
    '  sleep 1',
    'done',
  ].join('\n');
}

const STATE_OR_CODES = '"state":"[a-z]+"|"codes":\\["[^]]+';
const ENDED = '"state":"(success|failed)"';

function textAt(facts: Facts, ...path: readonly string[]): string | null {
  let value: unknown = facts;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Facts)[name];
  }
  return typeof value === 'string' ? value : null;
}

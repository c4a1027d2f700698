// The first call, to be pasted into a shell: a token, and a sale of one mug. Answers for its being
// right as it stands, with the ready record's own addresses and ids; knows nothing of the server.

type Facts = Readonly<Record<string, unknown>>;

/** Two commands for a POSIX shell with curl; null where the record lacks what they need. */
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
    `TOKEN=$(curl -s ${auth}/token -d grant_type=client_credentials \\`,
    `  -d client_id=${id} -d client_secret=${secret} |`,
    `  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -i ${invoicing}/v2/invoice -H "authorization: Bearer $TOKEN" \\`,
    `  -H 'content-type: application/json' -d '${JSON.stringify(sale)}'`,
  ].join('\n');
}

function textAt(facts: Facts, ...path: readonly string[]): string | null {
  let value: unknown = facts;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Facts)[name];
  }
  return typeof value === 'string' ? value : null;
}

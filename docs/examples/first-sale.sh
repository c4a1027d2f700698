#!/bin/sh
# A first sale with curl alone. The settings are what `npm start` prints, under these names.
set -eu
field() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

TOKEN=$(curl -sSf "$AUTH_URL/token" -d grant_type=client_credentials \
  -d "client_id=$CLIENT_ID" -d "client_secret=$CLIENT_SECRET" | field access_token)
call() { curl -sSf -H "authorization: Bearer $TOKEN" "$@"; }

# The same key with the same request gives the same answer, so it is safe to repeat.
INVOICE=$(call "$INVOICING_URL/v2/invoice" -H 'content-type: application/json' \
  -H "idempotency-key: order-1001-$(date +%s)" -d '{
    "account_id": "'"$BUYER_ACCOUNT"'",
    "reference_type": "order",
    "reference_id": "1001",
    "payment_methods": [{ "payment_method_id": "'"$BUYER_METHOD"'" }],
    "line_items": [{
      "amount": 2500, "currency": "USD", "transaction_type": "user_to_user",
      "recipients": [{ "amount": 2250, "currency": "USD", "fee_amount": 250,
        "destination_wallet_id": "'"$SELLER_WALLET"'" }]
    }]
  }' | field invoice_id)
echo "invoice $INVOICE"

# Paying answers at once; the outcome follows.
call -X POST "$INVOICING_URL/v2/invoice/$INVOICE/pay" >/dev/null
until STATE=$(call "$INVOICING_URL/v2/invoice/$INVOICE" | grep -oE '"state":"(success|failed)"')
do sleep 1
done
echo "$STATE" | sed 's/"state":"\(.*\)"/state \1/'

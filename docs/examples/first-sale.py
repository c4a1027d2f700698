# A first sale with Python's standard library alone. The settings are what `npm start` prints, under
# these names.
import json
import time
import uuid
from os import environ
from urllib.parse import urlencode
from urllib.request import Request, urlopen

INVOICES = environ["INVOICING_URL"] + "/v2/invoice"

form = urlencode({
    "grant_type": "client_credentials",
    "client_id": environ["CLIENT_ID"],
    "client_secret": environ["CLIENT_SECRET"],
})
with urlopen(environ["AUTH_URL"] + "/token", form.encode()) as answer:
    token = json.load(answer)["access_token"]


def call(method, url, body=None):
    headers = {"authorization": "Bearer " + token}
    if body is not None:
        headers["content-type"] = "application/json"
    # The same key with the same request gives the same answer, so it is safe to repeat.
    if method == "POST":
        headers["idempotency-key"] = str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers, method=method)) as answer:
        return json.load(answer)["payload"]


# Amounts are minor units: USD 25.00, of which the marketplace keeps 2.50.
invoice = call("POST", INVOICES, {
    "account_id": environ["BUYER_ACCOUNT"],
    "reference_type": "order",
    "reference_id": "1001",
    "payment_methods": [{"payment_method_id": environ["BUYER_METHOD"]}],
    "line_items": [{
        "amount": 2500,
        "currency": "USD",
        "transaction_type": "user_to_user",
        "recipients": [{
            "amount": 2250,
            "currency": "USD",
            "fee_amount": 250,
            "destination_wallet_id": environ["SELLER_WALLET"],
        }],
    }],
})
address = INVOICES + "/" + invoice["invoice_id"]
print("invoice", invoice["invoice_id"])

# Paying answers at once; the outcome follows.
state = call("POST", address + "/pay")["state"]
while state == "processing":
    time.sleep(0.2)
    state = call("GET", address)["state"]
print("state", state)

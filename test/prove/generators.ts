// A sale by two generated clients, as somebody would write it who has only read the types.

/** With the packages of openapi-python-client. */
export const PYTHON_USE = `
import json, os
from auth_client import Client
from auth_client.api.default import create_token
from auth_client.models import (
    CreateTokenAnswer, CreateTokenInput, CreateTokenInputGrantType,
)
from invoicing_client import AuthenticatedClient
from invoicing_client.api.default import create_invoice, get_invoice, pay_invoice
from invoicing_client.models import (
    InvoiceEnvelope, InvoiceState, Sale, SaleLineItem, SaleLineItemRecipient,
    SaleLineItemTransactionType, SalePaymentMethod,
)

facts = json.loads(os.environ["SALE"])
buyer, seller = facts["buyer"], facts["seller"]
token = create_token.sync(
    client=Client(base_url=facts["auth"]),
    body=CreateTokenInput(
        grant_type=CreateTokenInputGrantType.CLIENT_CREDENTIALS,
        client_id=facts["client_id"],
        client_secret=facts["client_secret"],
    ),
)
assert isinstance(token, CreateTokenAnswer), token
client = AuthenticatedClient(base_url=facts["invoicing"], token=token.access_token)

recipient = SaleLineItemRecipient(amount=2500, destination_wallet_id=seller["wallet_id"])
line = SaleLineItem(
    amount=2500,
    currency="USD",
    transaction_type=SaleLineItemTransactionType.USER_TO_USER,
    recipients=[recipient],
)
method = SalePaymentMethod(payment_method_id=buyer["wallet_payment_method_id"])
sale = Sale(account_id=buyer["account_id"], line_items=[line], payment_methods=[method])
created = create_invoice.sync(client=client, body=sale, idempotency_key="python-1")
assert isinstance(created, InvoiceEnvelope), created
paid = pay_invoice.sync(created.payload.invoice_id, client=client)
assert isinstance(paid, InvoiceEnvelope), paid
read = get_invoice.sync(created.payload.invoice_id, client=client)
assert isinstance(read, InvoiceEnvelope), read
assert read.payload.state is InvoiceState.SUCCESS, read.payload.state
print(json.dumps({
    "created": created.payload.state.value,
    "state": read.payload.state.value,
    "amount": read.payload.summary.total_amount,
    "lines": len(read.payload.line_items.additional_properties),
}))
`;

/** With the modules of openapi-generator's typescript-fetch. */
export const TYPESCRIPT_USE = `
import * as auth from './auth/index.js';
import {
  Configuration,
  DefaultApi,
  InvoiceStateEnum,
  type Invoice,
  type Sale,
} from './invoicing/index.js';

const facts = JSON.parse(process.env['SALE'] ?? '');
const tokens = new auth.DefaultApi(new auth.Configuration({ basePath: facts.auth }));
const { accessToken } = await tokens.createToken({
  grantType: 'client_credentials',
  clientId: facts.client_id,
  clientSecret: facts.client_secret,
});
const basePath: string = facts.invoicing;
const invoicing = new DefaultApi(new Configuration({ basePath, accessToken }));

const sale: Sale = {
  accountId: facts.buyer.account_id,
  paymentMethods: [{ paymentMethodId: facts.buyer.wallet_payment_method_id }],
  lineItems: [
    {
      amount: 2500,
      currency: 'USD',
      transactionType: 'user_to_user',
      recipients: [{ amount: 2500, destinationWalletId: facts.seller.wallet_id }],
    },
  ],
};
const idempotencyKey = 'typescript-1';
const created = await invoicing.createInvoice({ idempotencyKey, createInvoiceInput: sale });
const { invoiceId } = created.payload;
await invoicing.payInvoice({ invoiceId });
const read: Invoice = (await invoicing.getInvoice({ invoiceId })).payload;
if (read.state !== InvoiceStateEnum.Success) throw new Error(read.state);
console.log(
  JSON.stringify({
    created: created.payload.state,
    state: read.state,
    amount: read.summary.totalAmount,
    lines: Object.keys(read.lineItems).length,
  }),
);
`;

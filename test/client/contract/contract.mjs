// What `@holdfast/client` promises, tried in a project of others on whatever runs this file: no
// import but the package, no global but those of the web. Gives what was seen, for comparison.
import { createClient, createUserClient, HoldfastError, isRefusal } from '@holdfast/client';
import { verifyWebhook, WebhookError } from '@holdfast/client/webhooks';

/**
 * `ready`: the ready line; `request`: a delivery and the secret that signed it; `nowhere`: an
 * address where nobody listens.
 */
export async function contract({ ready, request, nowhere }) {
  const { urls, client, accounts } = ready;
  const { buyer, seller } = accounts;
  const credentials = { urls, clientId: client.client_id, clientSecret: client.client_secret };
  const holdfast = createClient(credentials);
  const { invoicing } = holdfast;
  const sale = {
    account_id: buyer.account_id,
    payment_methods: [{ payment_method_id: buyer.wallet_payment_method_id }],
    line_items: [
      {
        amount: 300,
        currency: 'USD',
        transaction_type: 'user_to_user',
        recipients: [{ amount: 300, destination_wallet_id: seller.wallet_id }],
      },
    ],
  };
  const idempotencyKey = crypto.randomUUID();
  const made = await invoicing.createInvoice(sale, { idempotencyKey });
  const again = await invoicing.createInvoice(sale, { idempotencyKey });
  const { invoice_id } = made;
  await invoicing.payInvoice({ invoice_id });
  const refused = await failure(invoicing.payInvoice({ invoice_id }));
  const silent = (_url, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const unanswered = createClient({ ...credentials, fetch: silent, timeoutMs: 50 });
  const late = await failure(unanswered.invoicing.getInvoice({ invoice_id }));
  const unreachable = createClient({ ...credentials, urls: { auth: nowhere } });
  const lost = await failure(unreachable.auth.authorizeUser({}, { timeoutMs: 5_000 }));
  const app = createUserClient({ urls });
  const nobody = await failure(app.accounts.listOwnConsents());
  const event = await verifyWebhook(request);
  const forged = await failure(verifyWebhook({ ...request, body: `${request.body} ` }));
  return {
    paid: (await invoicing.getInvoice({ invoice_id })).state,
    once: again.invoice_id === invoice_id,
    refused: [isRefusal(refused, 'payInvoice'), refused.status, refused.codes],
    late: [late instanceof HoldfastError, late.codes],
    lost: lost.codes,
    nobody: nobody.codes,
    event: event.event_name,
    forged: [forged instanceof WebhookError, forged.code],
  };
}

async function failure(call) {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('nothing failed');
}

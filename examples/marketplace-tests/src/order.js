// The order that the tests place, and a wallet's balance: shared by the files of all three runners.

/** A mug for 25.00, paid by the seeded buyer to the seeded seller. */
export function mug({ buyer, seller }, method = buyer.wallet_payment_method_id) {
  return {
    buyer: buyer.account_id,
    method,
    sellerWallet: seller.wallet_id,
    price: 2500,
  };
}

/** Cents in a wallet. */
export async function balanceOf(workspace, wallet_id) {
  return (await workspace.client.wallets.getWallet({ wallet_id })).current_balance;
}

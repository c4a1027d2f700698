// The terms that a sandbox starts with, so that there is something to agree to. They are invented,
// and say so.

/** Plain text; an empty line separates paragraphs. */
export const SANDBOX_TERMS = `Terms of the sandbox

This is a place for trying things out. Nothing here is real: no person, no shop, no bank and no \
money. You are reading an invented text whose only purpose is to show how real terms would be \
shown and agreed to.

Who we are. We run this sandbox, and keep the wallets and payments in it. The shop that sent you \
here is an example, made by somebody who builds or tests a product.

Your account. The shop knows you by a name that it chose. Whoever builds the product may change or \
remove your account at any time. Please do not enter data of real people, your own included.

Your wallet. It shows play money in one or more currencies. It cannot be paid in from a real bank, \
it is worth nothing, and it cannot be paid out to you.

Payments. When you press Pay, invented money moves from your wallet, or from an invented card, to \
whoever sells. Test cards are listed in the manual of this software. Never type the number of a \
real card.

Giving back. A seller or the shop may give money back, in whole or in part, and a bank that does \
not exist may take it back. Both are shown in your history.

What is kept. The sandbox remembers what you did in it until its owner clears it. It sends nothing \
to any bank, office or advertiser.

Changes. When this text changes, you are asked to read and agree again before you pay the next \
time. To stop, close the page: nothing that you have not agreed to happens.`;

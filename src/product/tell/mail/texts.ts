// Every text that a mail or a receipt says to a person, by its key; no sentence is elsewhere. In
// braces stand values that the message has: {shop}, {amount}.

const TEXTS = {
  'receipt.subject': 'Your receipt from {shop}',
  'receipt.body': 'Thank you. You paid {amount} to {shop}.',
  'receipt_copy.subject': 'The receipt that you asked for, from {shop}',
  'receipt_copy.body': 'Here is the receipt over {amount} that you asked for.',
  'email_code.subject': 'Your code for {shop}: {code}',
  'email_code.body':
    'Your code is {code}. Enter it at {shop} within ten minutes. If you did not ask for it, do ' +
    'nothing: without the code nothing happens.',
  'refund.subject': 'Your refund from {shop}',
  'refund.body': '{shop} returned {amount} to you. Banks may take some days to show it.',
  'escrow_paid.subject': 'Your payment to {shop} is held for you',
  'escrow_paid.body':
    'You paid {amount}. It is held until {shop} releases it to the seller or returns it to you.',
  'escrow_held.subject': 'A payment for you is held at {shop}',
  'escrow_held.body': 'A buyer paid {amount} for you. It is yours when {shop} releases it.',
  'escrow_released.subject': 'Your payment at {shop} was released',
  'escrow_released.body': 'The {amount} that were held for you at {shop} went to the seller.',
  'escrow_earned.subject': 'You were paid at {shop}',
  'escrow_earned.body': '{shop} released {amount} to you.',
  'escrow_returned.subject': 'Your payment to {shop} was returned',
  'escrow_returned.body':
    'The {amount} that were held at {shop} go back to you. Banks may take some days to show it.',
  'escrow_expiring.subject': 'Your payment at {shop} will soon be returned',
  'escrow_expiring.body':
    'The {amount} held at {shop} go back to you in a week, unless they are released before.',
  'payout_sent.subject': 'Your payout from {shop} was sent',
  'payout_sent.body': '{shop} sent {amount} to you.',
  'payout_failed.subject': 'Your payout from {shop} did not succeed',
  'payout_failed.body':
    'The payout of {amount} did not reach you. Check the account that it was to go to, then ' +
    'request it again at {shop}.',
  'identity_accepted.subject': 'Your identity was confirmed for {shop}',
  'identity_accepted.body': 'Your identity was confirmed. There is nothing more to do.',
  'identity_denied.subject': 'Your identity could not be confirmed for {shop}',
  'identity_denied.body':
    'Your identity could not be confirmed with what you submitted. {shop} can tell you more.',
  'identity_review.subject': 'Your identity is being reviewed for {shop}',
  'identity_review.body': 'A person is looking at what you submitted. This can take some days.',
  'identity_more.subject': '{shop} needs more about your identity',
  'identity_more.body': 'Your identity must be confirmed again. Open {shop} to go on.',
  'label.number': 'Number',
  'label.date': 'Date',
  'label.subtotal': 'Subtotal',
  'label.tax': 'Tax',
  'label.fee': 'Fee',
  'label.total': 'Total',
  'label.method': 'Payment method',
  'label.shop': 'From',
  'label.sellers': 'Sold by',
  'label.state': 'State',
  'label.item': 'Item',
  'title.purchase': 'Receipt',
  'title.escrow': 'Receipt',
  'title.sale': 'Sale',
  'title.payout': 'Payout',
  'title.refund': 'Refund',
  'state.held': 'Paid, and held until it is released',
  'state.open': 'Not completed yet',
  'state.failed': 'Did not succeed',
  'link.receipt': 'Print or save it',
  'page.items': 'Items',
  'page.pdf': 'Save as PDF',
  'page.gone': 'This receipt cannot be opened',
  'page.gone_todo':
    'Its address is incomplete, or it is older than two years. Ask whoever sent it to you.',
  'page.no_pdf': 'This receipt cannot be saved as PDF here',
  'page.no_pdf_todo':
    'It has letters that we cannot write into a PDF. Go back, print it, and choose to save it.',
  'contact.address': 'Questions? {address}',
  'contact.shop': 'Questions? {shop} can help you.',
  'footer.sandbox': 'This is a test. No money was moved.',
} as const;

type Key = keyof typeof TEXTS;
/** A kind of mail: what has a subject. */
export type MailKind = KindOf<Key>;
type KindOf<K> = K extends `${infer Kind}.subject` ? Kind : never;

/** The text of a key with its values. */
export function say(key: Key, values: Readonly<Record<string, string>> = {}): string {
  return TEXTS[key].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

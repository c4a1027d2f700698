// Mails to the people who pay and are paid: made of sealed events, one for each event, kind and
// account, and sent until the mail server has taken or refused them. [G-65]
export { planMails } from './plan.ts';
export type { PlanParts } from './plan.ts';
export { claimMails, forgetMails } from './queue.ts';
export { ADDRESS_MAX, askWithin, preparedMail, requireMail } from './ask.ts';
export { refusals as mailRefusals } from './refusals.ts';
export { viewOf } from './receipt-view.ts';
export type { ReceiptView, Row, Shop } from './receipt-view.ts';
export { addressKey, sendMail, shopOf } from './send.ts';

// The sandbox's mail server, which delivers to nobody.
export { captureMail, mailbox } from './capture.ts';

// The sandbox's mail server, which delivers to nobody.
export { captureMail } from './capture.ts';

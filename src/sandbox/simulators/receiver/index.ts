// Webhook receivers hosted by the sandbox, reached by ordinary deliveries over HTTP; they store
// each byte for byte and misbehave on request. A clone of a workspace keeps its endpoints' URLs, so
// the sender names the clone in a header; a workspace that is no clone sends none.
export { ANSWERS, WAIT_MS } from './answers.ts';
export type { AnswerName, ReceiverAnswer } from './answers.ts';
export {
  endpointOf,
  endReceiver,
  openReceiver,
  receiversOf,
  requestsOf,
} from './book.ts';
export { pages } from './page.ts';
export type { SandboxReceiverServices } from './page.ts';

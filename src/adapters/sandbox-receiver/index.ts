// Receivers of events that the sandbox hosts: counterparties with a book of their own, reached by
// the ordinary deliveries over HTTP. Answers for taking each byte for byte and for misbehaving on
// request. Which world a delivery comes from is said by its sender, because a copy of a world keeps
// the addresses of its endpoints: a world that is no copy says nothing, as everywhere.
export { ANSWERS, PATIENCE_MS } from './answers.ts';
export type { AnswerName, ReceiverAnswer } from './answers.ts';
export {
  endpointOf,
  endReceiver,
  openReceiver,
  receiversOf,
  requestsOf,
  requestsTo,
  TURNS,
} from './book.ts';
export { pages } from './page.ts';
export type { SandboxReceiverServices } from './page.ts';

// `holdfast/testing`: the real platform inside a test run, in any test runner on Node 20 and later.
// It must not import the server, which is a process of its own.
export { startPlatform, type Platform, type PlatformOptions } from './platform.ts';
export type { NewWorldOptions, Snapshot, World } from './world.ts';
export type { ExplainedStep, Explanation } from './world.ts';
export type { Clock, ClockMove, ClockState, DueThing, Span } from './clock.ts';
export type { Events } from './events.ts';
export { EventMissing, type EventName, type EventOf, type Wait } from './inbox.ts';
export { MailMissing, type CapturedMail, type Mails, type MailWait } from './mails.ts';
export type { Answer, Delivery, Webhooks, WebhooksOptions } from './webhooks.ts';
export type {
  Books,
  Counterparties,
  Counterparty,
  CounterpartyName,
  ReceivedRequest,
  Receiver,
  ReceiverOptions,
  Scenario,
  ScenarioOptions,
  Script,
  WaitingScript,
} from './counterparties.ts';
export type { Browser, BrowserOptions, OpenedPage, Screen, Steps, WidgetWish } from './browser.ts';
export type { Accounts, SeededBuyer, SeededSeller } from './ready.ts';
export type { Pair } from './caller.ts';

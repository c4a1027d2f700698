// What a webhook event is. The product declares each once; rows of machines announce it, endpoints
// choose it by name.

/** A webhook event. [G-61] */
export interface WebhookEvent {
  readonly name: string;
  /** One sentence: when it is sent. */
  readonly when: string;
  readonly cites: string;
  /** Kind of record that is its message, as it was at the step: the engine announces it itself. */
  readonly record?: string;
  /** It announces something that is no step of a machine. */
  readonly stepless?: true;
}

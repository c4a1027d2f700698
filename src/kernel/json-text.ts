// JSON that is already text. Records are composed once and spliced into envelopes and events as
// they are, so that a document is not parsed to be written again.

/** A finished JSON value; `text` must be valid JSON. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The value itself, for who needs to look inside. */
  parse(): unknown {
    return JSON.parse(this.text);
  }
}

/** Text of a payload, finished or not. */
export function jsonTextOf(payload: unknown): string {
  return payload instanceof JsonText ? payload.text : JSON.stringify(payload ?? null);
}

// JSON that is already text: records are rendered once and spliced into envelopes and events, so
// that no document is parsed only to be written again.

/** A finished JSON value; `text` must be valid JSON. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The parsed value. */
  parse(): unknown {
    return JSON.parse(this.text);
  }
}

/** A payload as JSON text, whether already text or not. */
export function jsonTextOf(payload: unknown): string {
  return payload instanceof JsonText ? payload.text : JSON.stringify(payload ?? null);
}

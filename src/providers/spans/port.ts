// Where finished spans go: pieces of work with their place in a trace, as OpenTelemetry has them.

/** A finished span. Its texts are names of ours and ids. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** The span that it is a part of; null: it begins the trace. */
  readonly parent: string | null;
  readonly kind: 'server' | 'client';
  readonly name: string;
  readonly failed: boolean;
  /** As `performance.now()`. */
  readonly startedMs: number;
  readonly endedMs: number;
  readonly facts: Readonly<Record<string, string | number>>;
}

export interface Spans {
  /** What became of spans so far. */
  readonly totals: { readonly sent: number; readonly dropped: number };
  /** Takes a span without waiting; one that finds no room is lost. */
  ended(span: Span): void;
  /** Sends what waits. */
  close(): Promise<void>;
}

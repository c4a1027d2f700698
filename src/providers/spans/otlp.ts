// The spans port over OTLP/HTTP, by OpenTelemetry's own packages. They are loaded only
// where traces are wanted: system.ts imports this file then.
import { SpanKind, SpanStatusCode, TraceFlags, type HrTime } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Span, Spans } from './port.ts';

/** Milliseconds that a batch gathers, and that the collector has for it. */
const BATCH_MS = 1_000;
const ANSWER_MS = 5_000;
/** Spans that wait at most, those that are being sent included; more are dropped. */
const ROOM = 2_048;

/** Spans for the collector at a base URL, such as `http://127.0.0.1:4318`. */
export function otlpSpans(url: string, environment: string): Spans {
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: ANSWER_MS });
  const totals = { sent: 0, dropped: 0 };
  let waiting = 0;
  const counted: SpanExporter = {
    export(spans, tell) {
      exporter.export(spans, (result) => {
        waiting -= spans.length;
        totals[result.code === 0 ? 'sent' : 'dropped'] += spans.length;
        tell(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counted,
    maxQueueSize: ROOM,
    scheduledDelayMillis: BATCH_MS,
    exportTimeoutMillis: ANSWER_MS,
  });
  const resource = resourceFromAttributes({
    'service.name': 'holdfast',
    'deployment.environment.name': environment,
  });
  return {
    totals,
    ended(span) {
      if (waiting >= ROOM) {
        totals.dropped += 1;
        return;
      }
      waiting += 1;
      batches.onEnd(readable(span, resource));
    },
    // A collector that does not answer in time is no trouble of ours.
    close: () => batches.shutdown().catch(() => {}),
  };
}

const SCOPE = { name: 'holdfast' } as const;

function readable(span: Span, resource: ReadableSpan['resource']): ReadableSpan {
  const { traceId, spanId, parent, kind, name, failed, startedMs, endedMs, facts } = span;
  const placeOf = (id: string) => ({ traceId, spanId: id, traceFlags: TraceFlags.SAMPLED });
  const above = parent === null ? {} : { parentSpanContext: placeOf(parent) };
  return {
    name,
    kind: kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT,
    spanContext: () => placeOf(spanId),
    ...above,
    startTime: momentOf(startedMs),
    endTime: momentOf(endedMs),
    duration: pairOf(endedMs - startedMs),
    status: { code: failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: { ...facts },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Seconds and nanoseconds. */
function pairOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1_000_000)];
}

/** The moment of a `performance.now()`. */
function momentOf(ms: number): HrTime {
  return pairOf(performance.timeOrigin + ms);
}

// Every metric as a row. The figures, the dashboard and the tests of the alert rules come from
// here; a label is a name of ours or an id, never text of a caller.

/** One metric. */
export interface MetricRow {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
}

const row =
  (type: MetricRow['type']) =>
  (name: string, help: string, ...labels: readonly string[]): MetricRow => ({
    ...{ name: `holdfast_${name}`, type, help, labels },
  });
const [counter, gauge, histogram] = [row('counter'), row('gauge'), row('histogram')];

/** Seconds; the last bucket is what a caller no longer waits for. */
export const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export const METRICS = {
  requests: counter('requests_total',
    'Answered requests by operation and class of status.', 'host', 'operation', 'status'),
  requestSeconds: histogram('request_duration_seconds',
    'Time from a request to its answer, by operation.', 'host', 'operation'),
  faults: counter('faults_total',
    'Faults that were logged, by operation, command or kind of background work.', 'operation'),
  disconnections: counter('disconnections_total',
    'Work that lost its connection to the database, by operation, command or kind.', 'operation'),
  calls: histogram('call_duration_seconds',
    'Calls to providers and receivers of webhooks by kind and outcome.', 'kind', 'outcome'),
  engine: counter('engine_total',
    'What the engine did: commands, batches, single transactions, retries.', 'what'),
  engineOpen: gauge('engine_open',
    'Commands that run in a transaction, and those that wait for one, by state.', 'state'),
  engineStill: gauge('engine_still_seconds',
    'Seconds since an open command last made progress; 0 if none is open.'),
  threadLag: gauge('http_thread_lag_p99_seconds',
    'How late the event loop of the HTTP thread is; none where HTTP has no thread of its own.'),
  databaseUp: gauge('database_up', '1 while the heartbeat of this process succeeds.'),
  synchronous: gauge('database_synchronous', '1 while a commit waits for a synchronous standby.'),
  archiveFails: gauge('archive_failing',
    '1 while the last try to archive the write-ahead log has failed; none without an archive.'),
  archiveAge: gauge('archive_age_seconds',
    'Seconds since a segment of the write-ahead log was archived; none without an archive.'),
  poolConnections: gauge('pool_connections',
    'Connections to the database by pool and state.', 'pool', 'state'),
  poolWaiting: gauge('pool_waiting', 'Work that waits for a connection of a pool.', 'pool'),
  queueEntries: gauge('queue_entries',
    'Entries of a queue over all tenants, counted up to 10,000.', 'queue', 'by'),
  queueOldest: gauge('queue_oldest_seconds',
    'How long the oldest entry of a queue waits, or has been due.', 'queue', 'by'),
  eventLag: gauge('event_lag_seconds',
    'Age of the oldest pending event, for the twenty endpoints that lag most.', 'endpoint'),
  items: gauge('reconciliation_items',
    'Open items of the reconciliation, counted up to 1,000.', 'kind'),
  itemsOldest: gauge('reconciliation_oldest_seconds',
    'Age of the oldest open item of the reconciliation.', 'kind'),
  anchorAge: gauge('anchor_age_seconds',
    'Seconds since this process last appended the heads of the audit to the anchor.'),
  keyVersion: gauge('key_version',
    'Versions of the master key; 1 for the one that wraps, 0 for one that only unwraps.',
    'version'),
  spans: counter('spans_total',
    'Spans of traces: sent to the collector, or dropped because it was away or too slow.',
    'outcome'),
  stops: gauge('stops',
    'Stops that operators have set: writes, payments, payouts, or a provider by its name.', 'what'),
  schema: gauge('schema_version', 'Number of the newest migration that the database has.'),
  unfinished: gauge('upgrade_unfinished',
    '1 while the upgrade to this release is not finished, and terms are stored in their old form.'),
  build: gauge('build_info', 'Always 1; which release runs.', 'version', 'node', 'environment'),
  scrapeOk: gauge('scrape_ok',
    '1 if the part of the metrics was read; 0 if it failed or took too long.', 'part'),
  scrapeSeconds: gauge('scrape_seconds', 'Time that the last reading of all parts took.'),
} as const;

export type MetricKey = keyof typeof METRICS;

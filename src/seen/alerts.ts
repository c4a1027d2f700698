// The alert rules as rows. The rules file comes from here; docs/runbook.md has a section for each,
// which says what it means and what to do.

/** One alert. */
export interface Alert {
  readonly name: string;
  /** PromQL. */
  readonly expr: string;
  /** How long it must hold. */
  readonly for: string;
  /** `page`: wakes somebody. `ticket`: for working hours. */
  readonly severity: 'page' | 'ticket';
  /** One sentence; `{{ }}` as in Prometheus. */
  readonly summary: string;
}

const alert = (
  name: string,
  severity: Alert['severity'],
  holds: string,
  expr: string,
  summary: string,
): Alert => ({ name: `Holdfast${name}`, severity, for: holds, expr, summary });

const CALLS = 'holdfast_call_duration_seconds_count';
const MAILS = `${CALLS}{kind="mail"`;

/** Counters that rose within a time. One that appeared meanwhile was born with its first count. */
const risen = (counter: string, within: string): string =>
  `increase(${counter}[${within}]) > 0 or (${counter} unless ${counter} offset ${within})`;

export const ALERTS: readonly Alert[] = [
  alert('Down', 'page', '1m', 'up{job="holdfast"} == 0',
    'Prometheus cannot read {{ $labels.instance }}.'),
  alert('NotScraped', 'page', '5m', 'absent(up{job="holdfast"})',
    'Prometheus knows no node: the job holdfast has no target.'),
  alert('DatabaseDown', 'page', '1m', 'holdfast_database_up == 0',
    '{{ $labels.instance }} cannot write to the database.'),
  alert('NotSynchronous', 'page', '10m',
    'max(holdfast_database_synchronous) == 0 ' +
      'and max(max_over_time(holdfast_database_synchronous[1d])) == 1',
    'Commits wait for no standby any more.'),
  // The heartbeat alone (247 bytes a second) fills a segment of 16 MB in 19 hours.
  alert('ArchiveFailing', 'page', '15m',
    'max(holdfast_archive_failing) == 1 or max(holdfast_archive_age_seconds) > 86400',
    'The write-ahead log does not reach its archive.'),
  alert('Errors', 'page', '5m',
    'sum(rate(holdfast_requests_total{status="5xx"}[5m])) ' +
      '/ sum(rate(holdfast_requests_total[5m])) > 0.01',
    '{{ $value | humanizePercentage }} of all requests fail.'),
  alert('Stuck', 'page', '1m', 'holdfast_engine_still_seconds > 10',
    'Commands on {{ $labels.instance }} make no progress.'),
  alert('QueueLate', 'page', '5m',
    'max by (queue) (holdfast_queue_oldest_seconds' +
      '{by="worker",queue!~"delivery|screening_run"}) > 300',
    'Work of the queue {{ $labels.queue }} is late by {{ $value | humanizeDuration }}.'),
  alert('ProviderUnreachable', 'page', '5m',
    `sum by (kind) (rate(${CALLS}{kind!="delivery",outcome=~"unknown|fault"}[5m])) ` +
      `/ sum by (kind) (rate(${CALLS}{kind!="delivery"}[5m])) > 0.5`,
    'Most calls of the kind {{ $labels.kind }} get no answer.'),
  alert('Reconciliation', 'page', '5m',
    'max by (kind) (holdfast_reconciliation_oldest_seconds' +
      '{kind!~"waiting_refund|waiting_reversal"}) > 900',
    'Items of the kind {{ $labels.kind }} are open between the processor and the books.'),
  alert('AnchorOld', 'page', '5m', 'min(holdfast_anchor_age_seconds) > 600',
    'No node has anchored the audit for {{ $value | humanizeDuration }}.'),
  alert('Slow', 'ticket', '10m',
    'histogram_quantile(0.99, sum by (le) (rate(' +
      'holdfast_request_duration_seconds_bucket{operation!~"payEscrow.*"}[5m]))) > 1',
    'One request in a hundred takes longer than {{ $value | humanizeDuration }}.'),
  alert('PoolBusy', 'ticket', '5m', 'min_over_time(holdfast_pool_waiting[5m]) > 5',
    'Work waits for connections of the pool {{ $labels.pool }} all the time.'),
  alert('EventLoopLag', 'ticket', '5m',
    'nodejs_eventloop_lag_p99_seconds{job="holdfast"} > 0.5 ' +
      'or holdfast_http_thread_lag_p99_seconds > 0.5',
    '{{ $labels.instance }} has too little processor time.'),
  alert('Faults', 'ticket', '0m',
    `sum by (operation) (${risen('holdfast_faults_total', '15m')}) > 0`,
    'Faults were logged for {{ $labels.operation }}.'),
  alert('WebhooksLag', 'ticket', '5m', 'max by (endpoint) (holdfast_event_lag_seconds) > 900',
    'The endpoint {{ $labels.endpoint }} lags by {{ $value | humanizeDuration }}.'),
  alert('WebhooksFailed', 'ticket', '0m',
    'delta(holdfast_queue_entries{queue="delivery_failed"}[1h]) > 0',
    'Deliveries of webhooks were given up.'),
  alert('MailsFail', 'ticket', '10m',
    `sum(${risen(`${MAILS},outcome=~"later|fault"}`, '1h')}) > 0 ` +
      `unless sum(${risen(`${MAILS},outcome="accepted"}`, '1h')}) > 0`,
    'The mail server has taken nothing for an hour.'),
  alert('PeopleWait', 'ticket', '1h',
    'max by (queue) (holdfast_queue_oldest_seconds' +
      '{by="people",queue!~"payout_on_hold|dispute_at_bank|delivery_failed"}) > 172800',
    'Something in the queue {{ $labels.queue }} has waited for a person for two days.'),
  alert('Stopped', 'ticket', '12h', 'max by (what) (holdfast_stops) > 0',
    '{{ $labels.what }}: stopped by an operator for twelve hours.'),
  alert('ScrapeIncomplete', 'ticket', '5m', 'min by (part) (holdfast_scrape_ok) == 0',
    'The part {{ $labels.part }} of the metrics cannot be read.'),
  alert('VersionsDiffer', 'ticket', '1h',
    'count(count by (version) (holdfast_build_info)) > 1',
    'Nodes of different releases have run side by side for an hour.'),
  alert('KeyRotationOpen', 'ticket', '1d', 'count(count by (version) (holdfast_key_version)) > 1',
    'A rotation of the master key was begun and not finished.'),
];

// For each alert the series that fire it, and after how many minutes; `rest` is what it says of a
// healthy service, on which no alert may fire.

/** Series with their values, in the notation of promtool. */
type Series = readonly (readonly [series: string, values: string])[];

/** A healthy service; the test shortens the 3000 minutes to what it looks at. */
export const REST: Series = [
  ['up{job="holdfast",instance="a"}', '1x3000'],
  ['holdfast_database_up', '1x3000'],
  ['holdfast_database_synchronous', '1x3000'],
  ['holdfast_archive_failing', '0x3000'],
  ['holdfast_archive_age_seconds', '70000x3000'],
  ['holdfast_requests_total{host="invoicing",operation="payInvoice",status="2xx"}', '0+600x3000'],
  ['holdfast_requests_total{host="invoicing",operation="payInvoice",status="5xx"}', '0+1x3000'],
  ['holdfast_request_duration_seconds_bucket{operation="payInvoice",le="0.25"}', '0+600x3000'],
  ['holdfast_request_duration_seconds_bucket{operation="payInvoice",le="+Inf"}', '0+600x3000'],
  ['holdfast_request_duration_seconds_bucket{operation="payEscrow",le="0.25"}', '0x3000'],
  ['holdfast_request_duration_seconds_bucket{operation="payEscrow",le="+Inf"}', '0+60x3000'],
  ['holdfast_engine_still_seconds', '0x3000'],
  ['holdfast_queue_oldest_seconds{queue="attempt",by="worker"}', '1x3000'],
  ['holdfast_queue_oldest_seconds{queue="delivery",by="worker"}', '800x3000'],
  ['holdfast_queue_oldest_seconds{queue="kyc_review",by="people"}', '3600x3000'],
  ['holdfast_queue_oldest_seconds{queue="payout_on_hold",by="people"}', '999999x3000'],
  ['holdfast_call_duration_seconds_count{kind="attempt",outcome="answered"}', '0+60x3000'],
  ['holdfast_call_duration_seconds_count{kind="attempt",outcome="unknown"}', '0+1x3000'],
  ['holdfast_reconciliation_oldest_seconds{kind="difference"}', '0x3000'],
  ['holdfast_reconciliation_oldest_seconds{kind="waiting_refund"}', '99999x3000'],
  ['holdfast_anchor_age_seconds{instance="a"}', '30x3000'],
  ['holdfast_anchor_age_seconds{instance="b"}', '99999x3000'],
  ['holdfast_pool_waiting{pool="engine"}', '0x3000'],
  ['nodejs_eventloop_lag_p99_seconds{job="holdfast"}', '0.02x3000'],
  ['nodejs_eventloop_lag_p99_seconds{job="another"}', '0.9x3000'],
  ['holdfast_http_thread_lag_p99_seconds', '0.02x3000'],
  ['holdfast_faults_total{operation="payInvoice",instance="a"}', '3x3000'],
  ['holdfast_event_lag_seconds{endpoint="e"}', '5x3000'],
  ['holdfast_queue_entries{queue="delivery_failed",by="people"}', '4x3000'],
  ['holdfast_stops{what="payouts"}', '0x3000'],
  ['holdfast_scrape_ok{part="schema"}', '1x3000'],
  ['holdfast_build_info{version="0.3.0"}', '1x3000'],
  ['holdfast_key_version{version="v1"}', '1x3000'],
];

/** An alert and the series that fire it, or that do not. */
interface Case {
  readonly alert: string;
  /** In place of the series of that name and labels, or beside them. */
  readonly series: Series;
  readonly minutes: number;
}

const fires = (alert: string, minutes: number, ...series: Series): Case => ({
  alert: `Holdfast${alert}`,
  series,
  minutes,
});

export const CASES: readonly Case[] = [
  fires('Down', 3, ['up{job="holdfast",instance="a"}', '0x3000']),
  fires('NotScraped', 8, ['up{job="holdfast",instance="a"}', '_x3000']),
  fires('DatabaseDown', 3, ['holdfast_database_up', '0x3000']),
  fires('NotSynchronous', 30, ['holdfast_database_synchronous', '1 1 0x3000']),
  fires('ArchiveFailing', 20, ['holdfast_archive_failing', '1x3000']),
  fires('ArchiveFailing', 20, ['holdfast_archive_age_seconds', '86401x3000']),
  fires('Errors', 15, [
    'holdfast_requests_total{host="invoicing",operation="payInvoice",status="5xx"}', '0+20x3000',
  ]),
  fires('Stuck', 3, ['holdfast_engine_still_seconds', '11x3000']),
  fires('QueueLate', 8, ['holdfast_queue_oldest_seconds{queue="attempt",by="worker"}', '301x3000']),
  fires('ProviderUnreachable', 15, [
    'holdfast_call_duration_seconds_count{kind="attempt",outcome="unknown"}', '0+90x3000',
  ]),
  fires('Reconciliation', 8, [
    'holdfast_reconciliation_oldest_seconds{kind="difference"}', '901x3000',
  ]),
  fires('AnchorOld', 8, ['holdfast_anchor_age_seconds{instance="a"}', '601x3000']),
  fires('Slow', 20,
    ['holdfast_request_duration_seconds_bucket{operation="payInvoice",le="0.25"}', '0+400x3000'],
    ['holdfast_request_duration_seconds_bucket{operation="payInvoice",le="5"}', '0+600x3000'],
  ),
  fires('PoolBusy', 15, ['holdfast_pool_waiting{pool="engine"}', '6x3000']),
  fires('EventLoopLag', 8, ['nodejs_eventloop_lag_p99_seconds{job="holdfast"}', '0.6x3000']),
  fires('EventLoopLag', 8, ['holdfast_http_thread_lag_p99_seconds', '0.6x3000']),
  fires('Faults', 5, [
    'holdfast_faults_total{operation="payInvoice",instance="a"}', '3 3 4x3000',
  ]),
  // The first fault of an operation on a node: a counter has no series before its first count.
  fires('Faults', 25, ['holdfast_faults_total{operation="payOut",instance="a"}', '_x20 1x3000']),
  fires('Faults', 25, [
    'holdfast_faults_total{operation="payInvoice",instance="b"}', '_x20 1x3000',
  ]),
  fires('WebhooksLag', 8, ['holdfast_event_lag_seconds{endpoint="e"}', '901x3000']),
  fires('WebhooksFailed', 5, [
    'holdfast_queue_entries{queue="delivery_failed",by="people"}', '4 4 5x3000',
  ]),
  fires('MailsFail', 15, [
    'holdfast_call_duration_seconds_count{kind="mail",outcome="later"}', '0+1x3000',
  ]),
  fires('PeopleWait', 70, [
    'holdfast_queue_oldest_seconds{queue="kyc_review",by="people"}', '172801x3000',
  ]),
  fires('Stopped', 730, ['holdfast_stops{what="payouts"}', '1x3000']),
  fires('ScrapeIncomplete', 8, ['holdfast_scrape_ok{part="schema"}', '0x3000']),
  fires('VersionsDiffer', 70, ['holdfast_build_info{version="0.4.0"}', '1x3000']),
  fires('KeyRotationOpen', 1_500, ['holdfast_key_version{version="v2"}', '0x3000']),
];

/** What looks like a cause and is none. */
export const NO_CAUSES: readonly Case[] = [
  // A single machine.
  fires('NotSynchronous', 2_000, ['holdfast_database_synchronous', '0x3000']),
  fires('Faults', 40, ['holdfast_faults_total{operation="payOut",instance="a"}', '_x20 1x3000']),
  fires('MailsFail', 30,
    ['holdfast_call_duration_seconds_count{kind="mail",outcome="later"}', '_x9 1 2x3000'],
    ['holdfast_call_duration_seconds_count{kind="mail",outcome="accepted"}', '_x11 1x3000'],
  ),
];

// The server settings of the embedded PostgreSQL and why they differ from its defaults. They are
// given on the command line, so an edited postgresql.conf cannot weaken them.

/** What may differ between two starts. */
export interface ServerTuning {
  readonly port: number;
  /** False only in tests: a crash of the machine may then lose the cluster. */
  readonly durable: boolean;
}

/** The settings of one start, in PostgreSQL's own names and units. */
export function serverSettings(tuning: ServerTuning): Record<string, string> {
  const flush = tuning.durable ? 'on' : 'off';
  return {
    listen_addresses: '127.0.0.1',
    port: String(tuning.port),
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    // Test files share one server, each with a platform or two of its own.
    max_connections: tuning.durable ? '100' : '300',
    // A client that goes silent during login holds up DROP DATABASE for everybody; tests make such
    // clients and drop many databases.
    authentication_timeout: tuning.durable ? '60s' : '10s',
    fsync: flush,
    synchronous_commit: flush,
    full_page_writes: flush,
    shared_buffers: tuning.durable ? '256MB' : '128MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    // Segments kept for re-use after a checkpoint: a small machine should not hold 1 GB of them.
    min_wal_size: '160MB',
    jit: 'off',
    max_prepared_transactions: '0',
    autovacuum: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Details and statements of errors quote rows, and rows hold personal data: neither is logged.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    cluster_name: 'holdfast',
  };
}

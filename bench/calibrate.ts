// Calibrates the load generator against a server that does nothing: its CPU cost per request and
// the latency it adds. The bench subtracts none of it from its figures.
import { fork } from 'node:child_process';
import { Histogram } from './histogram.ts';
import { runLoad } from './load.ts';
import type { Plan } from './plan.ts';

/** The generator's own figures. */
export interface Calibration {
  /** Requests per second reached in the closed loop. */
  readonly requestsPerSecond: number;
  /** Its CPU microseconds per request, closed loop. */
  readonly cpuMicros: number;
  /**
   * Its own latencies in the open loop, in milliseconds, and the purchases per second behind them.
   */
  readonly p50: number;
  readonly p99: number;
  readonly rate: number;
}

const SECONDS = 3;

/** Measures the generator; `rate`: purchases per second of the open loop. */
export async function calibrate(connections: number, rate: number): Promise<Calibration> {
  const server = fork(new URL('noop-server.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  try {
    const port = await new Promise<number>((resolve, reject) => {
      server.once('message', (message: { port: number }) => resolve(message.port));
      server.once('exit', () => reject(new Error('the no-op server ended')));
    });
    const address = { host: '127.0.0.1', port };
    const token = 't'.repeat(700);
    const id = '00000000-0000-7000-8000-000000000000';
    const plan: Plan = {
      mode: 'closed',
      targets: [{ invoicing: address, payments: address, auth: address, token }],
      buyers: [{ account_id: 'acct_00000000000000000000000000', payment_method_id: id }],
      sellers: [{ wallet_id: id }],
      sale: 'plain',
      client: { client_id: 'calibration', client_secret: 'none' },
      connections,
      rate,
      warmupMs: 1000,
      measureMs: SECONDS * 1000,
      seed: 1,
    };
    const watched = { servers: [], postmaster: null };
    const closed = await runLoad(plan, watched);
    const open = await runLoad({ ...plan, mode: 'open' }, watched);
    const latency = new Histogram();
    for (const buckets of Object.values(open.latency)) latency.add(buckets);
    return {
      requestsPerSecond: closed.requests / SECONDS,
      cpuMicros: closed.cpuMicros / closed.requests,
      p50: latency.percentile(0.5) / 1000,
      p99: latency.percentile(0.99) / 1000,
      rate,
    };
  } finally {
    server.kill('SIGKILL');
  }
}

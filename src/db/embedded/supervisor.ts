// Supervises the cluster's server: one that dies unasked is restarted on the same port, so that
// pools reconnect to it. Gives up after more than five deaths in a minute.
import type { Cluster, ClusterOrder } from './cluster.ts';
import { startCluster } from './cluster.ts';

const DEATHS_IN_A_WINDOW = 5;
const WINDOW_MS = 60_000;

/** Starts the cluster and keeps it running until `stop`; `ended` resolves when it stays down. */
export async function keepCluster(order: ClusterOrder): Promise<Cluster> {
  let current = await startCluster(order);
  const { url } = current;
  const port = Number(new URL(url).port);
  const deaths: number[] = [];
  let stopping = false;

  const keep = async (): Promise<number> => {
    for (;;) {
      const code = await current.ended;
      if (stopping) return code;
      deaths.push(Date.now());
      const lately = deaths.filter((at) => at > Date.now() - WINDOW_MS).length;
      if (lately > DEATHS_IN_A_WINDOW) return code;
      order.log(`PostgreSQL stopped unexpectedly (code ${code}); restarting it`);
      try {
        current = await startCluster(order, port);
      } catch (error) {
        order.log(error instanceof Error ? error.message : String(error));
        return code;
      }
      if (stopping) await current.stop();
    }
  };
  const ended = keep();
  return {
    url,
    ended,
    async stop() {
      stopping = true;
      await current.stop();
      await ended;
    },
  };
}

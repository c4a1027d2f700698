// The composition root, not yet: one listener that knows no route. Answers for the shape that the
// command line starts and stops.
import { createServer } from 'node:http';

/** One start of the whole system. */
export interface StartOptions {
  env: 'staging' | 'production';
  databaseUrl: string;
  portBase: number;
  forwardTo: string | null;
  dataDir: string;
  ephemeral: boolean;
  log(line: string): void;
}

/** Starts everything; resolves when it is ready. */
export async function startSystem(
  options: StartOptions,
): Promise<{ ready: Record<string, unknown>; stop(): Promise<void> }> {
  const server = createServer((_request, response) => void response.writeHead(404).end());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.portBase, '127.0.0.1', resolve);
  });
  return {
    ready: { ready: true, env: options.env, urls: { invoicing: `http://127.0.0.1:${options.portBase}` } },
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

// Mounts the demo shop on its host. Its code loads at the first visit, so that the start does not
// wait for it; the visit waits until the sandbox tenant exists.
import type { FastifyInstance } from 'fastify';
import type { Shop, ShopOptions } from '../../shop/index.ts';

/** The shop's mount point. */
export interface DemoShop {
  /** Registers every path of the shop. */
  pages(app: FastifyInstance): void;
  /** Gives the shop its tenant, once that exists. */
  open(options: ShopOptions): void;
  /** Ends the open event streams. */
  close(): Promise<void>;
}

/** Makes the mount point; `fault` is called with the shop's own failures. */
export function demoShop(fault: (error: unknown) => void): DemoShop {
  const told = Promise.withResolvers<ShopOptions>();
  let visited: Promise<Shop> | null = null;
  let shop: Shop | null = null;
  const load = async (): Promise<Shop> => {
    const code = import('../../shop/index.ts');
    const [{ openShop }, options] = await Promise.all([code, told.promise]);
    return (shop = openShop(options, fault));
  };
  return {
    pages(app) {
      app.route({
        method: ['GET', 'POST'],
        url: '/*',
        // The shop reads the whole request itself; no parser of the platform runs.
        onRequest: (request, reply) => {
          reply.hijack();
          visited ??= load();
          visited.then(({ handle }) => handle(request.raw, reply.raw)).catch(fault);
        },
        handler: () => {
          throw new Error('a request came past the shop');
        },
      });
    },
    open: told.resolve,
    close: async () => shop?.close(),
  };
}

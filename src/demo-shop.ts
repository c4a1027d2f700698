// The demo shop behind its host. Answers for a start that does not wait for it: its code is loaded
// at the first visit, which waits until the sandbox tenant is there. Knows nothing of the shop.
import type { FastifyInstance } from 'fastify';
import type { Shop, ShopOptions } from '../shop/index.ts';

/** The place of the shop, before and after there is one. */
export interface DemoShop {
  /** Registers every address of the shop. */
  pages(app: FastifyInstance): void;
  /** Tells the tenant that it works for, once that is known. */
  open(options: ShopOptions): void;
  /** Ends the streams that are open. */
  close(): Promise<void>;
}

/** Makes the place; `fault` is told of failures that are the shop's own. */
export function demoShop(fault: (error: unknown) => void): DemoShop {
  const told = Promise.withResolvers<ShopOptions>();
  let visited: Promise<Shop> | null = null;
  let shop: Shop | null = null;
  const load = async (): Promise<Shop> => {
    const [{ openShop }, options] = await Promise.all([import('../shop/index.ts'), told.promise]);
    return (shop = openShop(options, fault));
  };
  return {
    pages(app) {
      app.route({
        method: ['GET', 'POST'],
        url: '/*',
        // The whole of a request is the shop's: no parser of the platform is asked.
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

// For workers, which answer requests.
import { contract } from './contract.mjs';
import given from './given.mjs';

const worker = { fetch: async () => new Response(JSON.stringify(await contract(given))) };
export { worker as default };

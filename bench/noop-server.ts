// A server that does nothing: answers every request with one fixed invoice. The generator is
// calibrated against it.
import { createServer } from 'node:http';

const BODY = JSON.stringify({
  status: 'Success',
  message: [],
  codes: [],
  payload: {
    invoice_id: '00000000-0000-7000-8000-000000000000',
    state: 'open',
    description: 'x'.repeat(1400),
  },
});

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': String(BODY.length),
  });
  response.end(BODY);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});

process.on('disconnect', () => process.exit(0));

// Servers of floors.
import process from 'node:process';

/** An Express application that says its port to the process that has forked this one. */
export function serveHttp(app) {
  app.disable('x-powered-by').disable('etag');
  const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

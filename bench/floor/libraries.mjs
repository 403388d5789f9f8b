// The suite's own libraries, in the releases that it uses; each is loaded when it is asked for.
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const requireFrom = (folder, name) => createRequire(path.join(root, folder, 'package.json'))(name);

export const libraries = {
  get amqp() {
    return requireFrom('packages/service-kit', 'amqplib');
  },
  get bcrypt() {
    return requireFrom('services/auth', 'bcrypt');
  },
  get express() {
    return requireFrom('services/gateway', 'express');
  },
  get grpc() {
    return requireFrom('packages/contracts', '@grpc/grpc-js');
  },
};

/** An Express application that says its port to the process that has forked this one. */
export function serveHttp(app) {
  app.disable('x-powered-by').disable('etag');
  const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

// The suite's own libraries, in the releases that it uses; each is loaded when it is asked for.
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const requireFrom = (folder, name) => createRequire(path.join(root, folder, 'package.json'))(name);

export const libraries = {
  get amqp() {
    return requireFrom('packages/service-kit', 'amqplib');
  },
  get express() {
    return requireFrom('services/gateway', 'express');
  },
  get grpc() {
    return requireFrom('packages/contracts', '@grpc/grpc-js');
  },
};

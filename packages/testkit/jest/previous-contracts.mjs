// For runs with TEST_PREVIOUS_CONTRACTS (tools/check-previous.mjs): a bundle of the contracts of the previous release. Every
// message of an RPC that both releases have is sent as that release would have sent it: without what it does not know.
import { createRequire } from 'node:module';
import process from 'node:process';
import * as contracts from '@tally/contracts';

const isDefinition = (value) => Object.values(value ?? {})[0]?.requestSerialize !== undefined;
const methodsOf = (namespaces) =>
  namespaces.flatMap((namespace) => Object.values(namespace).filter(isDefinition)).flatMap(Object.values);

const bundle = createRequire(import.meta.url)(process.env.TEST_PREVIOUS_CONTRACTS);
const previous = new Map(methodsOf(Object.values(bundle)).map((method) => [method.path, method]));

for (const method of methodsOf(Object.values(contracts))) {
  const before = previous.get(method.path);
  if (before === undefined) continue;
  const { requestSerialize, responseSerialize } = method;
  method.requestSerialize = (value) => before.requestSerialize(before.requestDeserialize(requestSerialize(value)));
  method.responseSerialize = (value) => before.responseSerialize(before.responseDeserialize(responseSerialize(value)));
}

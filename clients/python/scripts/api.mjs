// A method for every operation of the OpenAPI document.
import { docstring, GENERATED, pascalCase, quote, snakeCase } from './python-text.mjs';

/** Members of the header that the transport takes care of. */
const OWN_HEADERS = ['If-None-Match'];
/** POSTs that may be sent again: the second does what the first did. */
const REPEATABLE = ['/estimate', '/jobs/direct/stop', '/jobs/batch/stop'];

export function writeApi({ paths }, models) {
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      methodsOf(method.toUpperCase(), path, operation, models),
    ),
  );
  return `${GENERATED('the OpenAPI document')}"""Every route of the service."""

from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, Union, cast

import httpx

from .._generated import models
from .transport import AsyncTransport


class AsyncApi:
    """The routes of the service, one method each, named after method and path.

    They take and give the JSON of the service as it is, typed; docs/http-interface.md tells what holds for all. What is
    not JSON is a stream: async with api.get_results_file(…) as response.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

${methods.map((lines) => lines.join('\n')).join('\n\n')}
`;
}

function methodsOf(method, path, operation, models) {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  const { 'application/json': json, ...others } = success?.content ?? {};
  const isFile = Object.keys(others).length > 0;
  const call = { method, path, operation, models };
  if (json === undefined) return [fileMethod(call, '')];
  return isFile ? [jsonMethod(call, json, ['format']), fileMethod(call, '_file')] : [jsonMethod(call, json, [])];
}

function argumentsOf({ operation, models }, leftOut) {
  const known = (operation.parameters ?? []).filter(({ name }) => ![...OWN_HEADERS, ...leftOut].includes(name));
  const listed = known.map(({ name, in: place, required, schema }) => ({
    name,
    place,
    required,
    argument: snakeCase(name),
    type: qualify(models.typeOf(schema, pascalCase(`${operation.operationId}_${name}`))),
  }));
  const { schema } = operation.requestBody?.content['application/json'] ?? {};
  const body = schema && qualify(models.nameOf(schema, pascalCase(`${operation.operationId}_body`)));
  return { listed, body };
}

/** Types of models by their module, the others as they are. */
function qualify(type) {
  return type.replace(/"[^"]*"|\b(?!Literal\b|Union\b|Any\b|None\b)([A-Z]\w*)\b/g, (text, name) =>
    name === undefined ? text : `models.${name}`,
  );
}

function signatureOf({ operation: { operationId } }, { listed, body }, suffix, result, isAsync) {
  const required = listed.filter((one) => one.required).map(({ argument, type }) => `${argument}: ${type}`);
  const optional = listed
    .filter((one) => !one.required)
    .map(({ argument, type }) => `${argument}: Union[${type}, None] = None`);
  const named = [...required, ...optional];
  const all = [
    'self',
    ...(body === undefined ? [] : [`body: ${body}`]),
    ...(named.length === 0 ? [] : ['*', ...named]),
  ];
  const start = `    ${isAsync ? 'async def' : 'def'} ${snakeCase(operationId)}${suffix}(`;
  const line = `${start}${all.join(', ')}) -> ${result}:`;
  return line.length <= 118 ? [line] : [start, ...all.map((one) => `        ${one},`), `    ) -> ${result}:`];
}

function dictOf(listed, place) {
  const ones = listed.filter((one) => one.place === place);
  if (ones.length === 0) return undefined;
  const parts = ones.map(({ name, argument }) => `${quote(name)}: ${argument}`);
  const line = `{${parts.join(', ')}}`;
  const indent = ' '.repeat(16);
  return line.length < 90 ? line : `{\n${parts.map((part) => `${indent}${part},\n`).join('')}            }`;
}

function about({ operation: { summary, description = '' } }) {
  return docstring(`${summary}.${description === '' ? '' : `\n\n${description}`}`, '        ');
}

function sending({ method, path }, { listed, body }) {
  const parts = { params: dictOf(listed, 'query'), headers: dictOf(listed, 'header'), body: body && 'body' };
  const given = Object.entries(parts).filter(([, text]) => text !== undefined);
  return [quote(method), quote(path), ...given.map(([name, text]) => `${name}=${text}`)];
}

function jsonMethod(call, { schema }, leftOut) {
  const { method, path, operation, models } = call;
  const all = argumentsOf(call, leftOut);
  const result = qualify(models.nameOf(schema, pascalCase(`${operation.operationId}_answer`)));
  const hasKey = all.listed.some(({ name }) => name === 'Idempotency-Key');
  const isRepeatable = method !== 'POST' || hasKey || REPEATABLE.includes(path);
  const parts = [...sending(call, all), ...(isRepeatable ? ['repeatable=True'] : [])];
  return [
    ...signatureOf(call, all, '', result, true),
    ...about(call),
    `        answer = await self._transport.json(`,
    ...parts.map((part) => `            ${part},`),
    '        )',
    `        return cast(${result}, answer)`,
  ];
}

function fileMethod(call, suffix) {
  const all = argumentsOf(call, []);
  return [
    ...signatureOf(call, all, suffix, 'AbstractAsyncContextManager[httpx.Response]', false),
    ...about(call),
    `        return self._transport.stream(${sending(call, all).join(', ')})`,
  ];
}

import type { z } from 'zod';
import type { ConversionItem } from '../conversion-error.js';

type Issue = z.core.$ZodIssue;

/** One fault of a project as a user reads it: where, as a JSON pointer, and what must be there instead. */
export function describeIssue(issue: Issue, json: unknown): ConversionItem {
  const isMissing = valueAt(json, issue.path) === undefined && issue.code !== 'custom';
  return { path: jsonPointer(issue.path), message: isMissing ? `is missing: ${describe(issue)}` : describe(issue) };
}

/** RFC 6901. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function describe(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${withArticle(issue.expected)}`;
    case 'too_small':
      return describeBound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return describeBound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'invalid_union':
      return describeUnion(issue);
    default:
      return issue.message;
  }
}

function describeUnion(issue: z.core.$ZodIssueInvalidUnion): string {
  if (issue.errors.length === 0) return 'must be one of the types that the editor knows';
  const alternatives = issue.errors.map((errors) => errors[0]).filter((error) => error !== undefined);
  return [...new Set(alternatives.map(describe))].join(', or ');
}

function describeBound(origin: string, relation: string, bound: number | bigint): string {
  if (origin === 'string') return `must have ${relation} ${bound} characters`;
  if (origin === 'array') return `must have ${relation} ${bound} items`;
  return `must be ${relation} ${bound}`;
}

function withArticle(type: string): string {
  const nouns: Readonly<Record<string, string>> = {
    int: 'an integer',
    object: 'an object',
    array: 'a list',
    tuple: 'a list of 3 numbers',
    string: 'a text',
    record: 'an object',
    boolean: 'true or false',
  };
  return nouns[type] ?? `a ${type}`;
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  let value = json;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

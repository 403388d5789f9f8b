import type { IncomingHttpHeaders } from 'node:http';
import type { FieldFault } from '@tally/service-kit';
import { z } from 'zod';
import { fail } from '../../errors.js';

/** Headers that an object schema names, by its spelling: HTTP does not tell upper from lower case. */
export function pickHeaders(schema: z.ZodType, headers: IncomingHttpHeaders): Record<string, unknown> {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return Object.fromEntries(names.map((name) => [name, headers[name.toLowerCase()]]));
}

/** Errors listed for one request at most. */
const FAULTS_MAX = 50;

/**
 * Checks values against a schema; every fault is named.
 * @throws ServiceError REQUEST_INVALID
 */
export function validate<T extends z.ZodType>(schema: T, values: unknown): z.output<T> {
  const checked = check(schema, values);
  if (checked.faults.length > 0) throw invalid(checked.faults);
  return checked.data as z.output<T>;
}

/** The same for a part of a request, its faults not yet thrown. @param place - of the part, like `estimators/0` */
export function check<T extends z.ZodType>(
  schema: T,
  values: unknown,
  place = '',
): { readonly data?: z.output<T>; readonly faults: readonly FieldFault[] } {
  const parsed = schema.safeParse(withoutNulls(schema, values), { reportInput: true });
  if (parsed.success) return { data: parsed.data, faults: [] };
  const faults = parsed.error.issues.flatMap(toFaults);
  return { faults: place === '' ? faults : faults.map((fault) => ({ ...fault, field: `${place}/${fault.field}` })) };
}

/** The same without optional members that are null: programs write them for what they do not say (RFC 7396 reads them so, too). */
function withoutNulls(schema: z.core.$ZodType, values: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return withoutNulls(schema.unwrap(), values);
  if (schema instanceof z.ZodPipe) return withoutNulls(schema.in, values);
  if (!(schema instanceof z.ZodObject) || typeof values !== 'object' || values === null || Array.isArray(values))
    return values;
  const given = { ...values } as Record<string, unknown>;
  for (const [name, member] of Object.entries<z.ZodType>(schema.shape)) {
    const value = given[name];
    if (value === undefined) continue;
    if (value === null && member.isOptional() && !member.isNullable()) delete given[name];
    else given[name] = withoutNulls(member, value);
  }
  return given;
}

/** What a request with these faults is answered. */
export function invalid(faults: readonly FieldFault[]) {
  const fields = faults.slice(0, FAULTS_MAX);
  const summary = fields
    .slice(0, 3)
    .map(({ field, message }) => (field === '' ? message : `${field} ${message}`))
    .join('; ');
  return fail('REQUEST_INVALID', { message: `The request is not valid: ${summary}`, fields });
}

function toFaults(issue: z.core.$ZodIssue): FieldFault[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((field) => ({ field, message: 'is not known' }));
  return [{ field: issue.path.map(String).join('/'), message: describe(issue) }];
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom' || issue.code === 'invalid_format' || issue.code === 'invalid_union')
    return issue.message;
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'string' && Array.isArray(issue.input)) return 'must be given once, as text';
      return `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters long' : ''}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`;
    default:
      return issue.message;
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  record: 'an object',
  object: 'an object',
  array: 'a list',
  boolean: 'true or false',
};

// A class for every reason that the service answers with.
import { docstring, GENERATED, pascalCase, quote } from './python-text.mjs';

/** What errors of a status are, in errors.py. */
const BASES = { 401: 'NotSignedIn', 403: 'NotAllowed', 404: 'NotFound', 409: 'Conflict', 429: 'TooManyRequests' };

function baseOf(status) {
  if (BASES[status] !== undefined) return BASES[status];
  return status >= 500 ? (status === 500 || status === 501 ? 'ServiceFault' : 'Unavailable') : 'InvalidRequest';
}

/** @param tables - of the services: their reasons with message and occasion */
export function writeReasons(tables, httpStatusOf) {
  const reasons = new Map();
  for (const { reasons: own } of tables)
    for (const [reason, { status, message, when }] of Object.entries(own))
      if (!reasons.has(reason)) reasons.set(reason, { status: httpStatusOf(status, reason), message, when });
  const sorted = [...reasons].sort(([a], [b]) => (a < b ? -1 : 1));
  const classes = sorted.map(([reason, { status, message, when }]) => {
    const about = docstring(`${message}. ${status}: ${when}.`, '    ');
    return [`class ${nameOf(reason)}(${baseOf(status)}):`, ...about].join('\n');
  });
  const bases = [...new Set(sorted.map(([, { status }]) => baseOf(status)))].sort((a, b) => (a < b ? -1 : 1));
  return `${GENERATED('the tables of reasons of the services')}"""Errors by the reason that the service gives (docs/errors.md)."""

from .._problems import ${['ApiError', ...bases].join(', ')}

__all__ = [
    "REASONS",
${sorted.map(([reason]) => `    ${quote(nameOf(reason))},`).join('\n')}
]


${classes.join('\n\n\n')}


REASONS: dict[str, type[ApiError]] = {
${sorted.map(([reason]) => `    ${quote(reason)}: ${nameOf(reason)},`).join('\n')}
}
`;
}

/** `CANCELLED` is what Python's own libraries call it, too; a suffix only where a name would hide one of Python's. */
function nameOf(reason) {
  const name = pascalCase(reason.toLowerCase());
  return name === 'Internal' ? 'InternalError' : name;
}

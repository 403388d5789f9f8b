import { describe, expect, it } from '@jest/globals';
import { isPassingFault } from './fault.js';

const adapter = (cause: object) => ({
  code: 'P2010',
  meta: { driverAdapterError: { name: 'DriverAdapterError', cause } },
});

describe('a fault of the database', () => {
  it.each([
    ['not reachable', adapter({ kind: 'DatabaseNotReachable' })],
    ['deadlock', adapter({ kind: 'postgres', originalCode: '40P01', originalMessage: 'deadlock detected' })],
    ['shut down', adapter({ kind: 'postgres', originalCode: '57P01' })],
    ['transaction not had in time', { code: 'P2028' }],
    ['socket', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    [
      'cut, under a headline',
      new Error('\nInvalid `prisma.$queryRaw()` invocation:\n\n\nConnection terminated unexpectedly'),
    ],
    ['cut', new Error('wrapped', { cause: new Error('Connection terminated unexpectedly') })],
  ])('passes: %s', (_, err) => expect(isPassingFault(err)).toBe(true));

  it.each([
    ['unique violation', adapter({ kind: 'UniqueConstraintViolation', originalCode: '23505' })],
    ['syntax', adapter({ kind: 'postgres', originalCode: '42601' })],
    ['rule of ours', new Error('task row 7 has an open attempt')],
    ['nothing', undefined],
  ])('stays: %s', (_, err) => expect(isPassingFault(err)).toBe(false));
});

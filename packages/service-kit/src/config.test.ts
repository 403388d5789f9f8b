import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, configTable, envName, loadConfig, setting } from './config.js';

const schema = {
  leaseMs: { type: setting.integer(1, 1000), default: '15', description: 'Lease, milliseconds' },
  databaseUrl: { type: z.string().min(5), description: 'URL', secret: true },
} as const;

const faultsOf = (env: NodeJS.ProcessEnv) => {
  try {
    loadConfig('JOBS', schema, env);
  } catch (err) {
    if (err instanceof ConfigError) return err.faults;
  }
  return [];
};

describe('configuration', () => {
  it('is typed, frozen and has defaults', () => {
    const config = loadConfig('JOBS', schema, { JOBS_DATABASE_URL: 'postgresql://x' });
    expect(config).toEqual({ leaseMs: 15, databaseUrl: 'postgresql://x' });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reports every fault at once and never a secret', () => {
    const faults = faultsOf({ JOBS_LEASE_MS: '1e3', JOBS_DATABASE_URL: 'abc', JOBS_LEASEMS: '3' });
    expect(faults).toHaveLength(3);
    expect(faults.join()).toContain('JOBS_LEASE_MS="1e3"');
    expect(faults.join()).toContain('JOBS_LEASEMS is not a known setting');
    expect(faults.join()).not.toContain('abc');
  });

  it('takes a secret from a file, but not from both', () => {
    expect(faultsOf({ JOBS_DATABASE_URL_FILE: '/nonexistent' })).toEqual(['JOBS_DATABASE_URL_FILE cannot be read']);
    expect(faultsOf({ JOBS_DATABASE_URL: 'abcdef', JOBS_DATABASE_URL_FILE: '/dev/null' })[0]).toContain('both set');
  });

  it('names variables after properties', () => {
    expect(envName('JOBS', 'dispatchWindowTasks')).toBe('JOBS_DISPATCH_WINDOW_TASKS');
    expect(configTable('JOBS', schema)).toContain('| `JOBS_DATABASE_URL` | (required) | URL (secret) |');
  });
});

import { Counter, type Metrics } from '@tally/service-kit';
import type { Audit } from './domain/audit.js';

/** Counts what the audit writes down: logins, refusals and why, registrations, password changes. */
export function countAudit(metrics: Metrics, audit: Audit): Audit {
  const events = new Counter({
    name: 'tally_auth_events_total',
    help: 'Audited events by kind; reason: why something was refused, else empty',
    labelNames: ['event', 'reason'] as const,
    registers: [metrics.registry],
  });
  return (event, facts) => {
    events.inc({ event, reason: facts.reason ?? '' });
    audit(event, facts);
  };
}

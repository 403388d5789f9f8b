import { fail } from '../../../domain/errors.js';
import type { CommandResult, RemoteCommand } from '../../../domain/remote-shell.js';

/** scontrol(1) ping: answers in 11 ms when the controller is dead, where squeue takes 18 s. */
export function scontrolPing(): RemoteCommand {
  return { argv: ['scontrol', 'ping'] };
}

/** @throws ServiceError SCHEDULER_UNREACHABLE unless one of the controllers is up */
export function parseScontrolPing({ stdout }: CommandResult): void {
  if (!/^Slurmctld\(.*\) at .* is UP$/m.test(stdout)) throw fail('SCHEDULER_UNREACHABLE');
}

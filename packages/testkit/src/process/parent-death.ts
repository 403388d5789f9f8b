import { accessSync, constants } from 'node:fs';

/** Of util-linux, which every Debian has; runs a program in its own place, so that the number stays the same. */
const SETPRIV = '/usr/bin/setpriv';

function hasSetpriv(): boolean {
  try {
    accessSync(SETPRIV, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A command that gets this signal when this process ends, however it ends (PR_SET_PDEATHSIG, prctl(2)). Where that cannot
 * be asked for, the command as it is: then a later run ends what a killed one left (cleanUpLeftovers).
 */
export function endsWithParent(
  signal: NodeJS.Signals,
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  return hasSetpriv() ? [SETPRIV, '--pdeathsig', signal.slice('SIG'.length), '--', ...command] : command;
}

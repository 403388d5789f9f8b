const hooks = new Set<() => void>();
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let installed = false;

function runHooks(): void {
  for (const hook of hooks) {
    hooks.delete(hook);
    try {
      hook();
    } catch {
      // the process is ending: the other hooks still have to run
    }
  }
}

function install(): void {
  if (installed) return;
  installed = true;
  process.on('exit', runHooks);
  for (const signal of SIGNALS) {
    const onSignal = (): void => {
      // Somebody else listens too and decides when to exit (then the hooks run). Alone, we must do what the signal
      // would have done without a listener: end the process, by that signal.
      if (process.listenerCount(signal) > 1) return;
      runHooks();
      process.removeListener(signal, onSignal);
      process.kill(process.pid, signal);
    };
    process.prependListener(signal, onSignal); // before a listener of `once`, which is not counted after its turn
  }
}

/** Runs the (synchronous) hook when this process ends by exit or by a signal; returns the way to take it back. */
export function onProcessEnd(hook: () => void): () => void {
  install();
  hooks.add(hook);
  return () => hooks.delete(hook);
}

// CPU profiles of all services while a load runs, one `.cpuprofile` (for Chrome's developer tools and the like) and one
// flame graph a thread.
import fs from 'node:fs';
import path from 'node:path';
import { writeFlameGraph } from './flame-graph.mjs';
import { askProbe, probesOf } from './probes.mjs';

export class Profiler {
  /**
   * @param directory - of the probes
   * @param out - folder for a folder a load
   */
  constructor(suite, directory, out) {
    Object.assign(this, { suite, directory, out });
  }

  /** Probes of everything that runs, by the name of its service; threads but the main one have a number. */
  #probes() {
    const running = this.suite.names().filter((name) => this.suite.process(name).isRunning());
    return running.flatMap((name) =>
      probesOf(this.directory, this.suite.process(name).pid).map((probe) => {
        const [, thread] = probe.split('-');
        return [thread === '0' ? name : `${name}-thread-${thread}`, probe];
      }),
    );
  }

  async start() {
    this.profiled = this.#probes();
    await Promise.all(this.profiled.map(([, probe]) => askProbe(this.directory, probe, '/profile/start')));
  }

  /** Ends what was started and writes it under the name of the load. */
  async stop(load) {
    const folder = path.join(this.out, load.replace(/[^\w.]+/g, '-').replace(/^-|-$/g, ''));
    fs.mkdirSync(folder, { recursive: true });
    for (const [name, probe] of this.profiled) {
      const profile = await askProbe(this.directory, probe, '/profile/stop').catch(() => undefined); // a thread may end
      if (profile === undefined) continue;
      fs.writeFileSync(path.join(folder, `${name}.cpuprofile`), JSON.stringify(profile));
      await writeFlameGraph(profile, `${load}: ${name}`, path.join(folder, `${name}.html`));
    }
  }
}

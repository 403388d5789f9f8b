import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** What we use of a container; as testcontainers gives it. */
export interface StartedContainer {
  stop(): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** A server to run from an image on a fixed port of 127.0.0.1, so that it has the same address after a restart. */
export interface ContainerRequest {
  readonly image: string;
  readonly containerPort: number;
  readonly hostPort: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  /** A line of its log that says it is ready, and how often it appears until then. */
  readonly ready: { readonly message: RegExp; readonly times: number };
}

const SOCKETS = ['/var/run/docker.sock', path.join(homedir(), '.docker/run/docker.sock')];

/** Whether a container runtime answers. Costs nothing where there is neither DOCKER_HOST nor a socket. */
export async function hasDocker(): Promise<boolean> {
  if (!process.env.DOCKER_HOST && !SOCKETS.some((socket) => existsSync(socket))) return false;
  const { getContainerRuntimeClient } = await import('testcontainers'); // 0.7 s to import
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false; // an address, and nobody there
  }
}

/** Runs a container; undefined where no container runtime answers. The container goes with this process (Ryuk). */
export async function startContainer(request: ContainerRequest): Promise<StartedContainer | undefined> {
  if (!(await hasDocker())) return undefined;
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(request.image)
    .withExposedPorts({ container: request.containerPort, host: request.hostPort })
    .withEnvironment({ ...request.environment })
    .withCommand([...(request.command ?? [])])
    .withWaitStrategy(Wait.forLogMessage(request.ready.message, request.ready.times))
    .start();
  return {
    async stop() {
      await container.stop();
    },
    async kill() {
      await container.stop({ remove: false, timeout: 0 });
    },
    restart: () => container.restart(),
  };
}

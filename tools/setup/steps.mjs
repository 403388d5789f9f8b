import fs from 'node:fs';
import path from 'node:path';
import { findPnpm } from './find-pnpm.mjs';
import { runCommand } from './run-command.mjs';

const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

/** All packages and services: `{dir, scripts}`, dir from the root. */
function workspacePackages(root) {
  return ['packages', 'services']
    .flatMap((parent) => fs.readdirSync(path.join(root, parent)).map((name) => path.join(parent, name)))
    .filter((dir) => fs.existsSync(path.join(root, dir, 'package.json')))
    .map((dir) => ({ dir, scripts: readJson(path.join(root, dir, 'package.json')).scripts ?? {} }));
}

/** One step for each package with that script in its package.json, so that there is one place that says what it runs. */
function scriptSteps(root, packages, { script, name, inputs, outputs }) {
  return packages
    .filter((entry) => entry.scripts[script])
    .map(({ dir, scripts }) => ({
      name: `${name} (${path.basename(dir)})`,
      inputs: [path.join(dir, 'package.json'), 'pnpm-lock.yaml', ...inputs(dir)],
      outputs: outputs(dir, scripts[script]),
      run: () => runCommand(scripts[script], { root, cwd: path.join(root, dir) }),
    }));
}

/**
 * What has to be done between a fresh clone and a suite that runs, in order. A step is skipped when its inputs are what
 * they were and all its outputs are there.
 */
export function setupSteps(root) {
  const packages = workspacePackages(root);
  const dirs = packages.map(({ dir }) => dir);
  return [
    {
      name: 'install',
      inputs: [
        'package.json',
        'pnpm-lock.yaml',
        'pnpm-workspace.yaml',
        '.npmrc',
        'examples/templates/package.json',
        ...dirs.map((d) => `${d}/package.json`),
      ],
      outputs: ['node_modules/.modules.yaml', 'node_modules/.bin/tsc'],
      async run() {
        const pnpm = await findPnpm(readJson(path.join(root, 'package.json')).packageManager, root);
        // never ask a question that nobody is there to answer
        await runCommand(`${pnpm} install --frozen-lockfile --config.confirm-modules-purge=false`, { root });
      },
    },
    ...scriptSteps(root, packages, {
      script: 'gen',
      name: 'contracts',
      inputs: (dir) => ['proto', `${dir}/buf.gen.yaml`, `${dir}/scripts`],
      outputs: (dir) => [`${dir}/src/gen`],
    }),
    ...scriptSteps(root, packages, {
      script: 'gen:prisma',
      name: 'database client',
      inputs: (dir) => [`${dir}/prisma/schema.prisma`, `${dir}/prisma.config.ts`],
      outputs: (dir) => [`${dir}/src/generated/prisma`],
    }),
    ...scriptSteps(root, packages, {
      script: 'gen:client',
      name: 'HTTP client',
      inputs: (dir) => [`${dir}/scripts`, 'services/gateway/src/http', 'proto'],
      outputs: (dir) => [`${dir}/src/gen`],
    }),
    ...scriptSteps(root, packages, {
      script: 'build:wasm',
      name: 'WebAssembly',
      inputs: (dir) => ['tools/build-wasm.mjs', `${dir}/assembly`, `${dir}/package.json`],
      outputs: (dir, command) => [`${dir}/dist/${/build-wasm\.mjs (\w+)/.exec(command)?.[1]}.wasm`],
    }),
    {
      name: 'build',
      inputs: ['tsconfig.json', 'tsconfig.base.json', 'pnpm-lock.yaml', 'proto', 'e2e', ...dirs],
      accepts: (file) => /\.(?:tsx?|proto|prisma|json|yaml)$/.test(file),
      outputs: dirs.map((dir) => `${dir}/dist/.tsbuildinfo`),
      run: () => runCommand('tsc -b', { root }),
    },
    ...scriptSteps(root, packages, {
      script: 'build:bundle',
      name: 'bundle',
      inputs: () => ['packages'],
      outputs: (dir) =>
        Object.values(readJson(path.join(root, dir, 'package.json')).bin).map((file) => path.join(dir, file)),
    }),
    ...scriptSteps(root, packages, {
      script: 'build:web',
      name: 'pages',
      inputs: (dir) => [
        `${dir}/src`,
        `${dir}/scripts`,
        `${dir}/index.html`,
        `${dir}/vite.config.mjs`,
        'packages/client',
        'examples',
      ],
      outputs: (dir) => [`${dir}/dist/bundle/index.html`],
    }),
  ];
}

// A Debian machine of its own on this one: Debian's packages alone (mmdebstrap), its own systemd, processes, mounts and network. A hybrid or
// new cgroup hierarchy will do. Where there is no controller in the latter, systemd counts without limits.
import { execFile, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '../../packages/testkit/dist/src/index.js';

const run = promisify(execFile);
const DEBIAN = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';
/** What an installation of a Debian server has of all that tally-server calls. */
const PACKAGES = ['systemd', 'systemd-sysv', 'dbus', 'iproute2', 'ca-certificates', 'procps'];
const BOOT_TIMEOUT_MS = 60_000;
/** Much of it is told to a console that is not there. */
const WITHOUT = ['console-getty.service', 'systemd-networkd-wait-online.service'];

/** Runs in the new namespaces, and becomes the machine's systemd. */
const BOOT = `
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty fuse net/tun; do
  mkdir -p "dev/$(dirname "$device")"
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device" || true
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for stream in stdin:0 stdout:1 stderr:2; do ln -s "/proc/self/fd/\${stream#*:}" "dev/\${stream%:*}"; done
touch dev/console
ip link set lo up
hostname "$2"
mkdir -p .before
pivot_root . .before
umount -l /.before
exec env -i container=tally PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=journal --show-status=0
`;

/** Where cgroup v2 is mounted: alone, or beside v1. */
const cgroupRoot = () =>
  fs.existsSync('/sys/fs/cgroup/cgroup.controllers') ? '/sys/fs/cgroup' : '/sys/fs/cgroup/unified';

/** Programs that are missing for {@link createMachine}; none: it can be made. */
export function missingForMachines() {
  const missing = ['mmdebstrap', 'unshare', 'nsenter', 'pivot_root', 'podman'].filter(
    (name) => !(process.env.PATH ?? '').split(':').some((dir) => fs.existsSync(path.join(dir, name))),
  );
  if (process.getuid() !== 0) missing.push('root');
  if (!fs.existsSync(path.join(cgroupRoot(), 'cgroup.procs'))) missing.push('cgroup v2');
  return missing;
}

/** Debian's files, made once and kept in `cache`. */
function provideDebian(cache) {
  const file = path.join(cache, `debian-${DEBIAN}.tar`);
  if (fs.existsSync(file)) return file;
  fs.mkdirSync(cache, { recursive: true });
  const args = ['--variant=minbase', '--quiet', `--include=${PACKAGES.join()}`, DEBIAN, `${file}.part`, MIRROR];
  execFileSync('mmdebstrap', ['--format=tar', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  fs.renameSync(`${file}.part`, file);
  return file;
}

/** Removes a group with those that systemd has left in it. */
function removeGroup(group) {
  if (!fs.existsSync(group)) return;
  for (const entry of fs.readdirSync(group, { withFileTypes: true }))
    if (entry.isDirectory()) removeGroup(path.join(group, entry.name));
  fs.rmdirSync(group);
}

/** Files that every machine has of its own. */
function prepareRoot(root, name, cache) {
  fs.mkdirSync(root);
  execFileSync('tar', ['--extract', '--file', provideDebian(cache), '--directory', root, '--numeric-owner']);
  for (const unit of WITHOUT) fs.symlinkSync('/dev/null', path.join(root, 'etc/systemd/system', unit));
  fs.copyFileSync('/etc/resolv.conf', path.join(root, 'etc/resolv.conf'));
  fs.writeFileSync(path.join(root, 'etc/hostname'), `${name}\n`);
}

/** Installs a machine below `dir`, which has never been started; `{root, boot, shell, powerOff, remove}`. */
export function createMachine(name, { dir, cache }) {
  const root = path.join(dir, name);
  const group = path.join(cgroupRoot(), `tally-${process.pid}-${name}`);
  prepareRoot(root, name, cache);
  let outside;
  let pid;
  const enter = (namespaces, script, options = {}) => {
    const env = [
      'env',
      '-i',
      '-C',
      '/root',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'HOME=/root',
      'LANG=C.UTF-8',
    ];
    return run('nsenter', ['--target', String(pid), ...namespaces, ...env, 'bash', '-euc', script], {
      maxBuffer: 64 * 1024 * 1024,
      timeout: 1_200_000,
      ...options,
    }).then(
      ({ stdout }) => stdout.trim(),
      (err) => {
        throw new Error(
          `${script.trim().slice(0, 200)}\n${(err.stdout ?? '').slice(-3000)}${(err.stderr ?? '').slice(-3000)}`,
        );
      },
    );
  };
  const machine = {
    root,
    /** Switches it on; resolves when systemd has started what it starts. */
    async boot() {
      fs.mkdirSync(group, { recursive: true });
      const inner = `echo $$ > ${group}/cgroup.procs; exec unshare --cgroup bash -c '${BOOT.replaceAll("'", "'\\''")}' - ${root} ${name}`;
      const namespaces = ['--mount', '--pid', '--uts', '--ipc', '--net', '--fork', '--kill-child'];
      outside = spawn('unshare', [...namespaces, 'bash', '-c', inner], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      outside.stderr.on('data', (chunk) => (said += chunk));
      const childOf = () =>
        Number(fs.readFileSync(`/proc/${outside.pid}/task/${outside.pid}/children`, 'utf8').split(' ')[0]);
      await waitFor(
        async () => {
          if (outside.exitCode !== null) throw new Error(`${name} does not start: ${said}`);
          pid = childOf();
          return (await machine.shell('systemctl is-system-running || true')).match(/running|degraded/);
        },
        { timeoutMs: BOOT_TIMEOUT_MS, intervalMs: 500, what: `${name} to start` },
      );
    },
    /** Runs commands as root of the machine. @throws Error with what they say */
    shell: (script, options) => enter(['--all'], script, options),
    /** The same with the network of this machine: what comes from Debian's archive. */
    shellOnline: (script) => enter(['--mount', '--pid', '--uts', '--ipc', '--cgroup'], script),
    /** Ends every process of it at once, as when its plug is pulled. */
    async powerOff() {
      if (outside === undefined) return;
      const ended = new Promise((resolve) =>
        outside.exitCode === null && outside.signalCode === null ? outside.once('exit', resolve) : resolve(),
      );
      process.kill(pid, 'SIGKILL');
      await ended;
      outside = undefined;
    },
    async remove() {
      await machine.powerOff();
      removeGroup(group);
      fs.rmSync(root, { recursive: true, force: true });
    },
  };
  return machine;
}

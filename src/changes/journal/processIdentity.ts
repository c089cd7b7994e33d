import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';

/**
 * What distinguishes a process from others with the same ID: IDs are reused after a while and after a restart of the
 * computer, and every container has its own. All but the host are known only on Linux.
 */
export const processIdentitySchema = z.object({
  host: z.string(),
  /** The namespace of its process ID: that of a container, or that of the computer. */
  namespace: z.string().optional(),
  /** Identifies the computer, as a hash: several may have the same host name. Earlier versions haven't recorded it. */
  machine: z.string().optional(),
  /** Identifies the current boot of the computer. */
  boot: z.string().optional(),
  /** Its start time, in clock ticks since the boot of the computer. */
  start: z.string().optional(),
});
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** A process as recorded; earlier versions have recorded only its ID. */
export type RecordedProcess = { readonly pid: number } & Partial<ProcessIdentity>;

/**
 * What is known about a recorded process. `id-in-use`: there is a process with its ID, which may be another process.
 * `unknown`: it ran on another computer or in another container.
 */
export type ProcessState = 'running' | 'id-in-use' | 'unknown' | 'ended';

/** The functions of the system that give information about processes. */
export interface ProcessTable {
  readonly pid: number;
  readonly host: string;
  /** Returns whether a process has an ID, even if it belongs to another user. */
  readonly exists: (pid: number) => boolean;
  /** Returns the content of a file of the system; `undefined` if there is no such file. */
  readonly readText: (path: string) => string | undefined;
  /** Returns the target of a link of the system; `undefined` if there is no such link. */
  readonly readLink: (path: string) => string | undefined;
}

const systemProcesses: ProcessTable = {
  pid: process.pid,
  host: hostname(),
  exists: (pid) => {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code !== 'ESRCH';
    }
  },
  readText: (path) => tryRead(() => readFileSync(path, 'latin1')),
  readLink: (path) => tryRead(() => readlinkSync(path)),
};

/** Identifies this process. */
export function identifyProcess(table = systemProcesses): { readonly pid: number } & ProcessIdentity {
  const { pid, host, readText, readLink } = table;
  const namespace = readLink('/proc/self/ns/pid');
  const machine = readText('/etc/machine-id')?.trim();
  const boot = readText('/proc/sys/kernel/random/boot_id')?.trim();
  const own = parseStatus(readText('/proc/self/stat'));
  // In a container, `/proc` may be that of the computer, where processes have other IDs.
  const start = own?.pid === pid ? own.start : undefined;
  return {
    pid,
    host,
    ...(namespace === undefined ? {} : { namespace }),
    ...(machine === undefined || machine === '' ? {} : { machine: hashMachineId(machine) }),
    ...(boot === undefined || boot === '' ? {} : { boot }),
    ...(start === undefined ? {} : { start }),
  };
}

/**
 * Returns what is known about a process. A zombie counts as ended: on Linux, a process that has ended keeps its ID
 * until its parent process reads its exit status, which some parents never do.
 * @param self this process
 */
export function getProcessState(
  recorded: RecordedProcess,
  self: RecordedProcess = identifyProcess(),
  { exists, readText } = systemProcesses,
): ProcessState {
  if (!(['host', 'namespace'] as const).every((name) => mayEqual(recorded[name], self[name]))) {
    return 'unknown';
  }
  if (!mayEqual(recorded.boot, self.boot)) {
    // On the same computer, another boot was an earlier one. Otherwise, the process may still run on its own computer.
    return recorded.machine !== undefined && recorded.machine === self.machine ? 'ended' : 'unknown';
  }
  if (!exists(recorded.pid)) {
    return 'ended';
  }
  const status = self.start === undefined ? undefined : parseStatus(readText(`/proc/${recorded.pid}/stat`));
  if (status === undefined) {
    return 'id-in-use';
  }
  if (status.hasEnded) {
    return 'ended';
  }
  if (recorded.boot === undefined || recorded.start === undefined || self.boot === undefined) {
    return 'id-in-use';
  }
  return status.start === recorded.start ? 'running' : 'ended';
}

/** Returns whether two records are about the same process, as far as is known. */
export const isSameProcess = (one: RecordedProcess, other: RecordedProcess): boolean =>
  one.pid === other.pid &&
  (['host', 'namespace', 'boot', 'start'] as const).every((name) => mayEqual(one[name], other[name]));

/** The ID itself is confidential: see machine-id(5). */
const hashMachineId = (id: string): string =>
  createHash('sha256').update(`datamodel-studio ${id}`).digest('hex').slice(0, 32);

const mayEqual = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other;

/** Parses the status of a process: see proc_pid_stat(5). */
function parseStatus(
  text: string | undefined,
): { readonly pid: number; readonly start: string; readonly hasEnded: boolean } | undefined {
  // The second field is the name of the program in parentheses, which may contain spaces and parentheses itself.
  const end = text?.lastIndexOf(') ') ?? -1;
  const fields = text?.slice(end + 2).split(' ') ?? [];
  const start = fields[19];
  if (text === undefined || end === -1 || start === undefined) {
    return undefined;
  }
  // In the states Z (zombie) and X (dead), the process has ended.
  return { pid: Number.parseInt(text, 10), start, hasEnded: /^[ZX]/.test(fields[0] ?? '') };
}

function tryRead(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    // Other systems have no such file.
    return undefined;
  }
}

import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';

/**
 * What distinguishes a process from others with the same ID: an ID is used again after a while, after a restart of the
 * computer, and in every container. All but the host are known only on Linux.
 */
export const processIdentitySchema = z.object({
  host: z.string(),
  /** The namespace of its process ID: that of a container, or that of the computer. */
  namespace: z.string().optional(),
  /** Identifies the computer, as a hash: several may have the same host name. Earlier versions haven't recorded it. */
  machine: z.string().optional(),
  /** Identifies the start of the computer. */
  boot: z.string().optional(),
  /** Its start time, in ticks since the start of the computer. */
  start: z.string().optional(),
});
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** A process as recorded; earlier versions have recorded only its ID. */
export type RecordedProcess = { readonly pid: number } & Partial<ProcessIdentity>;

/**
 * What is known of a recorded process. `exists`: a process has its ID, but that may be another one. `unknown`: it ran on
 * another computer or in another container.
 */
export type ProcessState = 'running' | 'exists' | 'unknown' | 'ended';

/** How processes are found on this computer. */
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
 * Returns what is known of a process. One that has ended doesn't count, though on Linux it keeps its ID until its parent
 * process has noticed: a parent that never looks keeps it forever.
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
    // Another start is an earlier one only of the same computer.
    return recorded.machine !== undefined && recorded.machine === self.machine ? 'ended' : 'unknown';
  }
  if (!exists(recorded.pid)) {
    return 'ended';
  }
  const status = self.start === undefined ? undefined : parseStatus(readText(`/proc/${recorded.pid}/stat`));
  if (status === undefined) {
    return 'exists';
  }
  if (status.hasEnded) {
    return 'ended';
  }
  if (recorded.boot === undefined || recorded.start === undefined || self.boot === undefined) {
    return 'exists';
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
  // The name of the program is in parentheses, and may contain some.
  const end = text?.lastIndexOf(') ') ?? -1;
  const fields = text?.slice(end + 2).split(' ') ?? [];
  const start = fields[19];
  if (text === undefined || end === -1 || start === undefined) {
    return undefined;
  }
  // Linux keeps a process in the states Z and X only for its parent.
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

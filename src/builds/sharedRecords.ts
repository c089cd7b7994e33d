import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Build, createBuildOfTask } from './build.ts';
import { storedBuildFields } from './storedBuildFields.ts';

/** The schema of a build in the shared files. */
export const buildSchema: z.ZodType<Build> = z
  .object({
    ...storedBuildFields,
    status: z.string().nullable(),
    phase: z.enum(['running', 'done', 'failed', 'cancelled', 'gone']),
    firstSeen: z.number(),
    lastSeen: z.number().optional(),
    ended: z.number().optional(),
    serverMs: z.number().optional(),
    source: z.string().optional(),
    startedBy: z.string().optional(),
  })
  .transform((build) => ({
    // JSON omits undefined fields.
    ...createBuildOfTask(build.connectionId, build.oid, build.firstSeen),
    ...build,
  }));

/** The status file of a window: a heartbeat, the instances that it watches, and its requests to their leaders. */
const windowStatusSchema = z.object({
  window: z.string(),
  /** When the window began to watch builds: the earliest one is preferred as the leader. */
  since: z.number(),
  /** The time of its last heartbeat. */
  beat: z.number(),
  /** The instances that it watches, because it knows of running builds there or was asked to poll. */
  instances: z.array(z.string()),
  /** The watched instances that it cannot poll until the user acts, for example signs in. Older versions omit them. */
  blocked: z.array(z.string()).default([]),
  /** The times of its requests to poll, by instance. */
  wishes: z.record(z.string(), z.number()),
  /** Builds that the record of their instance lacks, by instance. */
  builds: z.record(z.string(), z.array(buildSchema)),
});
export type WindowStatus = z.infer<typeof windowStatusSchema>;

/** The record file of an instance: the state of its builds, written by the leading window for all windows. */
const recordSchema = z.object({
  /** The ID from `BuildApi.getInstanceId`. It identifies a connection at its current address, not only a server. */
  instance: z.string(),
  connectionId: z.string(),
  leader: z.string(),
  /** The times of the last poll and of the server's last response. */
  askedAt: z.number(),
  heardAt: z.number(),
  /** The server asked not to be polled before this time. */
  notBefore: z.number(),
  /** The number of consecutive failed polls. */
  failures: z.number(),
  builds: z.array(buildSchema),
});
export type InstanceRecord = z.infer<typeof recordSchema>;

export const getWindowFileName = (windowId: string): string => `window-${hashText(windowId)}.json`;
export const getRecordFileName = (instance: string): string => `builds-${hashText(instance)}.json`;
export const isRecordFileName = (name: string): boolean => name.startsWith('builds-');

/** Hashes an ID for use in a file name: it may contain characters that are invalid there. */
const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Parses the shared files; an unchanged file is not parsed again. */
export class SharedFileReader {
  #parsedFiles: ReadonlyMap<
    string,
    { readonly text: string; readonly value: WindowStatus | InstanceRecord | undefined }
  > = new Map();

  /** Returns the contents of the status and record files; invalid files are ignored. */
  read(files: ReadonlyMap<string, string>): {
    readonly windows: readonly WindowStatus[];
    readonly records: readonly InstanceRecord[];
  } {
    this.#parsedFiles = new Map(
      [...files].map(([name, text]) => {
        const previous = this.#parsedFiles.get(name);
        return [name, previous?.text === text ? previous : { text, value: parseFile(name, text) }];
      }),
    );
    const values = [...this.#parsedFiles.values()].flatMap(({ value }) => value ?? []);
    return {
      windows: values.filter((value) => 'window' in value),
      records: values.filter((value) => 'leader' in value),
    };
  }
}

function parseFile(name: string, text: string): WindowStatus | InstanceRecord | undefined {
  if (name.startsWith('window-')) {
    return windowStatusSchema.safeParse(parseJsonText(text)).data;
  }
  return isRecordFileName(name) ? recordSchema.safeParse(parseJsonText(text)).data : undefined;
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Windows replace the file as a whole, so it was damaged in another way, for example by a power failure.
    return undefined;
  }
}

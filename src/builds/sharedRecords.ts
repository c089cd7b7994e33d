import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Build, createUnknownBuild } from './build.ts';
import { keptFields } from './keptFields.ts';

/** The schema of a build in the shared files. */
export const buildSchema: z.ZodType<Build> = z
  .object({
    ...keptFields,
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
    ...createUnknownBuild(build.connectionId, build.oid, build.firstSeen),
    ...build,
  }));

/** The status file of a window: a heartbeat, the instances that it can poll, and its requests to their leaders. */
const cardSchema = z.object({
  window: z.string(),
  /** When the window was opened: the oldest window is preferred as the leader. */
  since: z.number(),
  /** The time of its last heartbeat. */
  beat: z.number(),
  /** The instances that it can poll. */
  instances: z.array(z.string()),
  /** The times of its requests to poll, by instance. */
  wishes: z.record(z.string(), z.number()),
  /** Builds that the record of their instance lacks, by instance. */
  builds: z.record(z.string(), z.array(buildSchema)),
});
export type WindowCard = z.infer<typeof cardSchema>;

/** The record file of an instance: the state of its builds, written by the leading window for all windows. */
const recordSchema = z.object({
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

export const cardName = (window: string): string => `window-${digest(window)}.json`;
export const recordName = (instance: string): string => `builds-${digest(instance)}.json`;
export const isRecordName = (name: string): boolean => name.startsWith('builds-');

/** Makes a file name of an instance, whose address may contain characters that are invalid there. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Parses the shared files; an unchanged file is not parsed again. */
export class SharedReader {
  #known: ReadonlyMap<
    string,
    { readonly text: string; readonly value: WindowCard | InstanceRecord | undefined }
  > = new Map();

  /** Returns the contents of the status and record files; invalid files are ignored. */
  read(files: ReadonlyMap<string, string>): {
    readonly cards: readonly WindowCard[];
    readonly records: readonly InstanceRecord[];
  } {
    this.#known = new Map(
      [...files].map(([name, text]) => {
        const known = this.#known.get(name);
        return [name, known?.text === text ? known : { text, value: readFile(name, text) }];
      }),
    );
    const values = [...this.#known.values()].flatMap(({ value }) => value ?? []);
    return {
      cards: values.filter((value) => 'window' in value),
      records: values.filter((value) => 'leader' in value),
    };
  }
}

function readFile(name: string, text: string): WindowCard | InstanceRecord | undefined {
  if (name.startsWith('window-')) {
    return cardSchema.safeParse(parse(text)).data;
  }
  return isRecordName(name) ? recordSchema.safeParse(parse(text)).data : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The file is incomplete if its window was killed while writing.
    return undefined;
  }
}

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Build, createUnknownBuild } from './build.ts';
import { keptFields } from './keptFields.ts';

/** A build as stored in files. */
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

/** A window's message to the others: that it is alive, which instances it can poll, and what it wants of the leader. */
const cardSchema = z.object({
  window: z.string(),
  /** Opening time of the window: the oldest is the first to lead. */
  since: z.number(),
  /** Time of its last heartbeat. */
  beat: z.number(),
  /** The instances that it can poll. */
  instances: z.array(z.string()),
  /** Times of its requests to poll the builds of an instance. */
  wishes: z.record(z.string(), z.number()),
  /** Builds that it knows and the record of their instance lacks, by instance. */
  builds: z.record(z.string(), z.array(buildSchema)),
});
export type WindowCard = z.infer<typeof cardSchema>;

/** The state of the builds of one instance, shared by all windows; written by the leading window. */
const recordSchema = z.object({
  instance: z.string(),
  connectionId: z.string(),
  leader: z.string(),
  /** Time of the last poll, and of the server's last response. */
  askedAt: z.number(),
  heardAt: z.number(),
  /** The server asked not to be polled before this time. */
  notBefore: z.number(),
  /** Consecutive failed polls. */
  failures: z.number(),
  builds: z.array(buildSchema),
});
export type InstanceRecord = z.infer<typeof recordSchema>;

export const cardName = (window: string): string => `window-${digest(window)}.json`;
export const recordName = (instance: string): string => `builds-${digest(instance)}.json`;
export const isRecordName = (name: string): boolean => name.startsWith('builds-');

/** Addresses cannot be file names. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Reads cards and records from files; an unchanged file is not parsed again. */
export class SharedReader {
  #known: ReadonlyMap<
    string,
    { readonly text: string; readonly value: WindowCard | InstanceRecord | undefined }
  > = new Map();

  /** The cards and records among the files; unreadable ones are ignored. */
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
    // A partial file of a window that was killed.
    return undefined;
  }
}

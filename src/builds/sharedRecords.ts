import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Build, createUnknownBuild } from './build.ts';
import { keptFields } from './keptFields.ts';

/** A build as it is kept in files. */
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
    // JSON leaves out what is undefined.
    ...createUnknownBuild(build.connectionId, build.oid, build.firstSeen),
    ...build,
  }));

/** What one window tells the others: that it lives, whom it can ask, and what it wants of who leads. */
const cardSchema = z.object({
  window: z.string(),
  /** When the window began: the oldest is the first to lead. */
  since: z.number(),
  /** When it last said so. */
  beat: z.number(),
  /** The instances that it can ask. */
  instances: z.array(z.string()),
  /** When it wanted the builds of an instance to be looked at. */
  wishes: z.record(z.string(), z.number()),
  /** Builds that it knows and the record of their instance does not, by instance. */
  builds: z.record(z.string(), z.array(buildSchema)),
});
export type WindowCard = z.infer<typeof cardSchema>;

/** What all windows know of the builds of one instance; written by the window that leads there. */
const recordSchema = z.object({
  instance: z.string(),
  connectionId: z.string(),
  leader: z.string(),
  /** When the server was last asked, and when it last answered. */
  askedAt: z.number(),
  heardAt: z.number(),
  /** It asked to be left alone until then. */
  notBefore: z.number(),
  /** Failed looks in a row. */
  failures: z.number(),
  builds: z.array(buildSchema),
});
export type InstanceRecord = z.infer<typeof recordSchema>;

export const cardName = (window: string): string => `window-${digest(window)}.json`;
export const recordName = (instance: string): string => `builds-${digest(instance)}.json`;
export const isRecordName = (name: string): boolean => name.startsWith('builds-');

/** Addresses are no file names. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Reads cards and records from files; a file that has not changed is not parsed again. */
export class SharedReader {
  #known: ReadonlyMap<
    string,
    { readonly text: string; readonly value: WindowCard | InstanceRecord | undefined }
  > = new Map();

  /** The cards and records among the files; what cannot be read is as if it were not there. */
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
    // Half a file of a window that was killed.
    return undefined;
  }
}

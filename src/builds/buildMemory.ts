import * as z from 'zod';
import type { Build } from './build.ts';
import type { BuildMemory } from './buildMonitor.ts';

/** A place for one JSON value, such as a VS Code memento. */
export interface ValueStorage {
  read(): unknown;
  write(value: unknown): void;
}

const rememberedSchema = z.array(
  z.object({
    connectionId: z.string(),
    oid: z.string(),
    datamodelId: z.string().optional(),
    datamodelTitle: z.string().optional(),
    buildType: z.string().optional(),
    status: z.string().nullable(),
    firstSeen: z.number(),
    startedHere: z.boolean(),
  }),
);

/** Unfinished builds as they are kept over a reload; what cannot be read is as if nothing were remembered. */
export class StoredBuildMemory implements BuildMemory {
  readonly #storage: ValueStorage;

  constructor(storage: ValueStorage) {
    this.#storage = storage;
  }

  read(): readonly Build[] {
    const remembered = rememberedSchema.safeParse(this.#storage.read());
    return remembered.success
      ? remembered.data.map((build) => ({
          connectionId: build.connectionId,
          oid: build.oid,
          datamodelId: build.datamodelId,
          datamodelTitle: build.datamodelTitle,
          buildType: build.buildType,
          status: build.status,
          phase: 'running',
          firstSeen: build.firstSeen,
          ended: undefined,
          startedHere: build.startedHere,
          reason: undefined,
          failedTable: undefined,
        }))
      : [];
  }

  write(unfinished: readonly Build[]): void {
    this.#storage.write(unfinished);
  }
}

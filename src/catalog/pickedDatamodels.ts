import * as z from 'zod';
import { Emitter } from '../base/event.ts';
import type { ValueStorage } from '../base/valueStorage.ts';

const pickSchema = z.object({ connectionId: z.string(), datamodelId: z.string(), title: z.string() });

/** The datamodel that a file of the workspace belongs to. */
export type PickedDatamodel = z.infer<typeof pickSchema>;

const storedPicksSchema = z.object({ last: pickSchema.optional(), files: z.record(z.string(), pickSchema) });

/** Maximum number of remembered files; the oldest pick is forgotten first. */
const maxFiles = 500;

/**
 * The datamodel of each workspace file that does not specify it itself. A file keeps its own pick; a file without one
 * uses the latest pick.
 */
export class PickedDatamodels {
  readonly #storage: ValueStorage;
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #picksByFile: Map<string, PickedDatamodel>;
  #latestPick: PickedDatamodel | undefined;

  /** @param storage in the workspace state (decisions.md, "Connections") */
  constructor(storage: ValueStorage) {
    this.#storage = storage;
    const storedPicks = storedPicksSchema.safeParse(storage.read()).data;
    this.#picksByFile = new Map(Object.entries(storedPicks?.files ?? {}));
    this.#latestPick = storedPicks?.last;
  }

  /** The latest pick, which files without a pick of their own use. */
  get latestPick(): PickedDatamodel | undefined {
    return this.#latestPick;
  }

  /** The files with a pick of their own. */
  get files(): readonly string[] {
    return [...this.#picksByFile.keys()];
  }

  /** The pick of a file, or else the latest pick. */
  get(file: string): PickedDatamodel | undefined {
    return this.getOwnPick(file) ?? this.#latestPick;
  }

  /** The pick of a file, without falling back to the latest pick. */
  getOwnPick(file: string): PickedDatamodel | undefined {
    return this.#picksByFile.get(file);
  }

  /** Stores a datamodel as the latest pick, and as the pick of the file, if one is given. */
  pick(file: string | undefined, datamodel: PickedDatamodel): void {
    this.#latestPick = datamodel;
    if (file !== undefined) {
      this.#picksByFile.delete(file);
      this.#picksByFile.set(file, datamodel);
      for (const oldest of [...this.#picksByFile.keys()].slice(
        0,
        Math.max(0, this.#picksByFile.size - maxFiles),
      )) {
        this.#picksByFile.delete(oldest);
      }
    }
    this.#storage.write({ last: this.#latestPick, files: Object.fromEntries(this.#picksByFile) });
    this.#onDidChange.fire();
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }
}

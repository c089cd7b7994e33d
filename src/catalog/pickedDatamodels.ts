import * as z from 'zod';
import { Emitter } from '../base/event.ts';

const pickSchema = z.object({ connectionId: z.string(), datamodelId: z.string(), title: z.string() });

/** The datamodel that a file of the workspace belongs to. */
export type PickedDatamodel = z.infer<typeof pickSchema>;

const memorySchema = z.object({ last: pickSchema.optional(), files: z.record(z.string(), pickSchema) });

/** Maximum number of remembered files; the oldest pick is forgotten first. */
const maxFiles = 500;

/** Storage for picks, in the workspace state (decisions.md, "Connections"). */
export interface PickMemory {
  /** The last written value, unparsed; `undefined` if there is none. */
  read(): unknown;
  write(value: unknown): void;
}

/**
 * The datamodel of each workspace file that does not specify it itself. A file keeps its own pick; a file without one
 * uses the latest pick.
 */
export class PickedDatamodels {
  readonly #memory: PickMemory;
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #files: Map<string, PickedDatamodel>;
  #last: PickedDatamodel | undefined;

  constructor(memory: PickMemory) {
    this.#memory = memory;
    const remembered = memorySchema.safeParse(memory.read()).data;
    this.#files = new Map(Object.entries(remembered?.files ?? {}));
    this.#last = remembered?.last;
  }

  /** The pick for a file. */
  get(file: string): PickedDatamodel | undefined {
    return this.#files.get(file) ?? this.#last;
  }

  pick(file: string | undefined, datamodel: PickedDatamodel): void {
    this.#last = datamodel;
    if (file !== undefined) {
      this.#files.delete(file);
      this.#files.set(file, datamodel);
      for (const oldest of [...this.#files.keys()].slice(0, Math.max(0, this.#files.size - maxFiles))) {
        this.#files.delete(oldest);
      }
    }
    this.#memory.write({ last: this.#last, files: Object.fromEntries(this.#files) });
    this.#onDidChange.fire();
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }
}

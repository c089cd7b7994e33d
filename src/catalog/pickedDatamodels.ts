import * as z from 'zod';
import { Emitter } from '../base/event.ts';

const pickSchema = z.object({ connectionId: z.string(), datamodelId: z.string(), title: z.string() });

/** The datamodel that a file of the workspace is about. */
export type PickedDatamodel = z.infer<typeof pickSchema>;

const memorySchema = z.object({ last: pickSchema.optional(), files: z.record(z.string(), pickSchema) });

/** How many files are remembered: the one that was picked for longest ago is forgotten first. */
const maxFiles = 500;

/** Where picks are kept: with the workspace (design.md, section 6). */
export interface PickMemory {
  /** What was last written, unparsed; `undefined` when nothing was. */
  read(): unknown;
  write(value: unknown): void;
}

/**
 * Which datamodel each file of the workspace is about, where the file does not say so itself. A file keeps its own
 * pick; one that has none takes the last.
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

  /** The pick for a file by its address. */
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

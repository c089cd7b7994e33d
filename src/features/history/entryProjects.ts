import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { listEnvironments } from '../../project/pull/findEnvironments.ts';
import type { EntryProject } from './historyLabels.ts';

/** Finds the projects of entries: of applies, and of the undos of applies. */
export class EntryProjects {
  readonly #entries: ReadonlyMap<string, HistoryEntry>;
  /** Whether projects have several environments, by their folders. */
  readonly #hasSeveralByFolder = new Map<string, Promise<boolean>>();

  /** @param entries all entries that may be undone by one of them */
  constructor(entries: readonly HistoryEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
  }

  /**
   * Returns the project of an entry; `undefined` if it has none. The environment is absent if the project has only one.
   */
  async find(entry: HistoryEntry): Promise<EntryProject | undefined> {
    const { subject, project } = this.#findOriginal(entry).operation;
    return project === undefined
      ? undefined
      : {
          name: subject.name,
          ...((await this.#hasSeveralEnvironments(project.folder))
            ? { environment: project.environment }
            : {}),
        };
  }

  #findOriginal(entry: HistoryEntry): HistoryEntry {
    const undone = this.#entries.get(entry.undoneEntryId ?? '');
    return undone === undefined ? entry : this.#findOriginal(undone);
  }

  #hasSeveralEnvironments(folder: string): Promise<boolean> {
    const known = this.#hasSeveralByFolder.get(folder) ?? hasSeveralEnvironments(folder);
    this.#hasSeveralByFolder.set(folder, known);
    return known;
  }
}

async function hasSeveralEnvironments(folder: string): Promise<boolean> {
  try {
    return (await listEnvironments(folder)).length > 1;
  } catch {
    // The folder can't be read, or no longer exists.
    return false;
  }
}

import type { Log } from '../../../base/log.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { FileCatalog, FindingsCursor } from '../../../platform/projects/fileCatalog.ts';
import type { FileCatalogs } from '../../../platform/projects/fileCatalogs.ts';
import type { Finding } from '../../../project/validate/finding.ts';

/** The findings of a project that were read so far, by the URI of each file, as text. */
interface LoadedProject {
  readonly catalog: FileCatalog;
  readonly findings: Map<string, readonly Finding[]>;
  cursor: FindingsCursor | undefined;
}

type ReportFindings = (files: readonly (readonly [uri: string, findings: readonly Finding[]])[]) => void;

/**
 * The findings in all files of the projects of the workspace, open or not. They are read in batches, so that the editor
 * is not blocked. Sends no requests.
 */
export class WorkspaceFindings implements Disposable {
  readonly #catalogs: FileCatalogs;
  readonly #log: Log;
  readonly #report: ReportFindings;
  readonly #projects = new Map<string, LoadedProject>();
  #isDisposed = false;
  #isReading = false;
  /** Whether files may have changed since the last read has started. */
  #isOutdated = false;

  /** @param report called with the files whose findings have changed */
  constructor(catalogs: FileCatalogs, log: Log, report: ReportFindings) {
    this.#catalogs = catalogs;
    this.#log = log;
    this.#report = report;
  }

  /** Returns the findings of a file as they were last read. */
  get(uri: string): readonly Finding[] {
    for (const { findings } of this.#projects.values()) {
      const found = findings.get(uri);
      if (found !== undefined) {
        return found;
      }
    }
    return [];
  }

  /** Reads the findings that have changed. */
  refresh(): void {
    this.#isOutdated = true;
    if (!this.#isReading) {
      void this.#readAll();
    }
  }

  dispose(): void {
    this.#isDisposed = true;
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    while (this.#isOutdated && !this.#isDisposed) {
      this.#isOutdated = false;
      const catalogs = await this.#catalogs.findAll();
      this.#removeClosedProjects(catalogs);
      await Promise.all(catalogs.map((catalog) => this.#readProject(catalog)));
    }
    this.#isReading = false;
  }

  /** Removes the findings of projects that no longer exist, or that were removed and added again. */
  #removeClosedProjects(catalogs: readonly FileCatalog[]): void {
    for (const [folder, { catalog, findings }] of this.#projects) {
      if (!catalogs.includes(catalog)) {
        this.#projects.delete(folder);
        this.#report([...findings.keys()].map((uri) => [uri, []]));
      }
    }
  }

  async #readProject(catalog: FileCatalog): Promise<void> {
    const folder = String(catalog.folder);
    const project = this.#projects.get(folder) ?? { catalog, findings: new Map(), cursor: undefined };
    this.#projects.set(folder, project);
    /** The files whose findings were reported before the worker thread started again, and not since. */
    const unconfirmed = new Set<string>();
    try {
      for (let hasMore = true; hasMore; ) {
        const changed = await catalog.getChangedFindings(project.cursor);
        if (this.#isDisposed || this.#projects.get(folder) !== project) {
          return;
        }
        if (changed.startsOver) {
          [...project.findings.keys()].forEach((uri) => unconfirmed.add(uri));
        }
        ({ hasMore, cursor: project.cursor } = changed);
        const files = changed.files.map(
          ([path, findings]) => [String(catalog.getUri(path)), findings] as const,
        );
        files.forEach(([uri]) => unconfirmed.delete(uri));
        this.#setFindings(project, files);
      }
      this.#setFindings(
        project,
        [...unconfirmed].map((uri) => [uri, []]),
      );
    } catch (error) {
      if (!this.#isDisposed && !catalog.isClosed) {
        this.#log.error('projects', 'The problems could not be found', { reason: String(error) });
      }
    }
  }

  #setFindings({ findings }: LoadedProject, files: Parameters<ReportFindings>[0]): void {
    for (const [uri, found] of files) {
      if (found.length === 0) {
        findings.delete(uri);
      } else {
        findings.set(uri, found);
      }
    }
    if (files.length > 0) {
      this.#report(files);
    }
  }
}

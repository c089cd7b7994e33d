import type { JsonValue } from '../../base/json.ts';
import { formatItemKey } from '../item.ts';
import { projectFolders } from '../paths.ts';
import { projectFileName } from '../projectFileName.ts';
import { assignUnitPaths, composeUnit } from '../pull/composeFiles.ts';
import { restoreFormerNames } from '../pull/formerNames.ts';
import {
  type Lock,
  type LockEntry,
  LockError,
  emptyLock,
  formatLockEntry,
  getLockPath,
  readLock,
} from '../pull/lock.ts';
import { type PullEntry, type MergeUnit, getUnitEntries } from '../pull/mergeUnits.ts';
import {
  type ProjectSettings,
  type SelectionLimits,
  createSelection,
  defaultProjectSettings,
  getEnvironmentPath,
  readEnvironmentSettings,
} from '../settings/projectSettings.ts';
import { SettingsFileError } from '../settings/settingsFile.ts';
import type { ReadScope } from '../source/readInstance.ts';
import { createNamePattern, isSelected } from '../source/selection.ts';
import { type ServerContents, type StatusComparison, StatusComparer } from './compareStatus.ts';
import { ProjectFiles } from '../files/projectFiles.ts';
import { isNewerLock } from './newerLock.ts';
import { type DocumentChunk, ServerReading } from './serverReading.ts';
import type { ProjectStatus, StatusCalls, StatusTarget } from './statusCalls.ts';

/** An entry with its unit. */
interface LocatedEntry {
  readonly unit: MergeUnit;
  readonly entry: PullEntry;
  readonly isDifferent: boolean;
}

/**
 * Computes the status of a project in one environment. After a change it reads, parses, and compares only the files
 * that have changed. It sends no requests: the caller passes the documents of the instance.
 */
export class StatusEngine implements StatusCalls {
  readonly #target: StatusTarget;
  readonly #files: ProjectFiles;
  readonly #comparer = new StatusComparer();
  #settings: ProjectSettings = defaultProjectSettings;
  #lock: Lock = emptyLock;
  #fault: ProjectStatus['fault'];
  #incoming = new ServerReading();
  #reading: { readonly documents: ServerReading; readonly scope: ReadScope } | undefined;
  #isOutdated = false;
  #server: ServerContents | undefined;
  #comparison: StatusComparison = { units: [], items: [], uncomparedFiles: [] };
  /** The texts of files when they last equaled their lock entries, with these entries. */
  readonly #unchangedTexts = new Map<
    string,
    { readonly text: string; readonly base: LockEntry | undefined }
  >();
  /** Computed when a caller requests the text of a file or limits. */
  #entries: ReadonlyMap<string, LocatedEntry> | undefined;

  constructor(target: StatusTarget) {
    this.#target = target;
    this.#files = new ProjectFiles(target.folder);
  }

  async reload(): Promise<ProjectStatus> {
    await this.#readSettings();
    await this.#files.readAll();
    return this.#compare();
  }

  findChanges(): Promise<readonly string[]> {
    return this.#files.findChanges();
  }

  async update(paths: readonly string[]): Promise<ProjectStatus> {
    const { environmentName } = this.#target;
    const settingsPaths = [
      projectFileName,
      getEnvironmentPath(environmentName),
      getLockPath(environmentName),
    ];
    if (paths.some((path) => settingsPaths.includes(path))) {
      await this.#readSettings();
    }
    await this.#files.read(paths);
    return this.#compare();
  }

  startReading(): void {
    this.#incoming = new ServerReading();
  }

  addDocuments(chunk: DocumentChunk): void {
    this.#incoming.add(chunk);
  }

  finishReading(scope: ReadScope): ProjectStatus {
    this.#reading = { documents: this.#incoming, scope };
    this.#incoming = new ServerReading();
    this.#isOutdated = false;
    this.#convert();
    return this.#compare();
  }

  discardReading(): ProjectStatus {
    this.#reading = undefined;
    this.#isOutdated = true;
    this.#convert();
    return this.#compare();
  }

  getServerText(path: string): string | undefined {
    this.#entries ??= this.#locateEntries();
    const located = this.#entries.get(path);
    if (located === undefined) {
      // The file may not be readable at the moment.
      return this.#unchangedTexts.get(path)?.text;
    }
    const { unit, entry, isDifferent } = located;
    if (!isDifferent) {
      return entry.ours?.text;
    }
    if (this.#server === undefined || this.#server.isUnknownOnInstance(entry.key)) {
      const unchanged = this.#unchangedTexts.get(path);
      return unchanged !== undefined && unchanged.base === entry.base ? unchanged.text : undefined;
    }
    return entry.theirs === undefined ? undefined : this.#composeServerText(unit, entry);
  }

  getSelectionLimits(paths: readonly string[]): SelectionLimits | undefined {
    this.#entries ??= this.#locateEntries();
    const keys = [...this.#entries].flatMap(([path, { entry }]) =>
      paths.some((other) => path === other || path.startsWith(`${other}/`))
        ? // A renamed item has another name on the instance.
          [entry.key, ...(entry.ours === undefined ? [] : [entry.ours.key])]
        : [],
    );
    const datamodels = new Set(keys.flatMap((key) => ('datamodel' in key ? [key.datamodel] : [])));
    const viewpoints = new Set(keys.flatMap((key) => (key.kind === 'viewpoint' ? [key.viewpoint] : [])));
    const isLimited = keys.length > 0 && keys.every((key) => 'datamodel' in key || key.kind === 'viewpoint');
    return isLimited
      ? {
          ...(datamodels.size === 0 ? {} : { datamodels: [...datamodels].map(createNamePattern) }),
          // One pattern is faster than thousands.
          ...(viewpoints.size === 0
            ? {}
            : {
                viewpoints: paths.includes(projectFolders.viewpoints)
                  ? ['*']
                  : [...viewpoints].map(createNamePattern),
              }),
        }
      : undefined;
  }

  /**
   * Returns the text that a pull would write if it discarded all local changes except comments, layout, and the former
   * names of applied renames.
   */
  #composeServerText(unit: MergeUnit, entry: PullEntry): string | undefined {
    const contents = new Map(getUnitEntries(unit).map((other) => [other, getServerContent(other)]));
    const paths = assignUnitPaths([{ unit, contents }], this.#comparison.units);
    const key = formatItemKey(entry.key);
    const { writes } = composeUnit({ unit, contents }, paths);
    return (writes.find((write) => formatItemKey(write.key) === key) ?? entry.ours)?.text;
  }

  async #readSettings(): Promise<void> {
    const { folder, environmentName } = this.#target;
    try {
      this.#settings = (await readEnvironmentSettings(folder, environmentName)) ?? defaultProjectSettings;
      const lock = keepEqualEntries(this.#lock, await readLock(folder, environmentName));
      if (this.#server !== undefined && isNewerLock(this.#lock, lock, this.#server)) {
        this.#reading = undefined;
        this.#isOutdated = true;
      }
      this.#lock = lock;
      this.#fault = undefined;
    } catch (error) {
      if (!(error instanceof SettingsFileError || error instanceof LockError)) {
        throw error;
      }
      this.#fault = {
        path: error instanceof SettingsFileError ? error.path : getLockPath(environmentName),
        message: error.userMessage,
      };
    }
    this.#convert();
  }

  #convert(): void {
    this.#server = this.#reading?.documents.convert(this.#reading.scope, this.#settings, this.#lock);
  }

  #compare(): ProjectStatus {
    const project = this.#files.parse();
    const { instance, entries } = this.#lock;
    const isPulled = instance !== undefined || entries.size > 0;
    const canCompare = this.#fault === undefined && (isPulled || this.#server !== undefined);
    const selection = createSelection(this.#settings);
    this.#comparison = canCompare
      ? this.#comparer.compare({
          project,
          lock: this.#lock,
          server: this.#server,
          isManaged: (key) => isSelected(selection, key),
        })
      : { units: [], items: [], uncomparedFiles: [] };
    this.#entries = undefined;
    this.#rememberUnchangedTexts();
    const unreadableFiles = project.problems
      .filter(({ severity }) => severity === 'error')
      .map(({ path, line, message }) => ({ path, line, message }));
    const unreadablePaths = new Set(unreadableFiles.map(({ path }) => path));
    return {
      items: this.#comparison.items.map(({ status }) => status),
      unreadableFiles,
      uncomparedFiles: this.#comparison.uncomparedFiles.filter(({ path }) => !unreadablePaths.has(path)),
      conversionErrors: (this.#server?.instance.conversionErrors ?? []).map(({ userMessage }) => userMessage),
      isServerKnown: this.#server !== undefined,
      isOutdated: this.#isOutdated,
      isPulled,
      ...(this.#fault === undefined ? {} : { fault: this.#fault }),
    };
  }

  #rememberUnchangedTexts(): void {
    const differing = new Set(this.#comparison.items.map(({ entry }) => entry));
    for (const entry of this.#comparison.units.flatMap(getUnitEntries)) {
      if (entry.ours !== undefined && !differing.has(entry)) {
        this.#unchangedTexts.set(entry.ours.path, { text: entry.ours.text, base: entry.base });
      }
    }
  }

  #locateEntries(): ReadonlyMap<string, LocatedEntry> {
    const located = new Map<string, LocatedEntry>();
    for (const unit of this.#comparison.units) {
      for (const entry of getUnitEntries(unit)) {
        if (entry.ours !== undefined) {
          located.set(entry.ours.path, { unit, entry, isDifferent: false });
        }
      }
    }
    for (const { unit, entry, status } of this.#comparison.items) {
      located.set(status.path, { unit, entry, isDifferent: true });
    }
    return located;
  }
}

/**
 * Returns the content of an item on the instance, if it has one. Like a pull, adds the former names in its file that
 * only the project has, unless the instance still has the item under its former name.
 */
const getServerContent = ({ ours, theirs }: PullEntry): JsonValue | undefined =>
  ours !== undefined && theirs !== undefined && formatItemKey(ours.key) === formatItemKey(theirs.key)
    ? restoreFormerNames(ours, theirs.content)
    : theirs?.content;

/** Keeps the earlier objects of equal entries, so that cached comparisons with them stay valid. */
function keepEqualEntries(before: Lock, after: Lock): Lock {
  const entries = [...after.entries].map(([key, entry]): readonly [string, LockEntry] => {
    const earlier = before.entries.get(key);
    return [
      key,
      earlier !== undefined && formatLockEntry(earlier) === formatLockEntry(entry) ? earlier : entry,
    ];
  });
  return { ...after, entries: new Map(entries) };
}

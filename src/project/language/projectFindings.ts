import { jsonEquals } from '../../base/canonicalJson.ts';
import { english, formatMessage } from '../../base/localize.ts';
import type { FileItem, Project, ProjectProblem } from '../files/project.ts';
import { type Finding, sortFindings } from '../validate/finding.ts';
import type { ItemNames } from '../validate/projectNames.ts';
import { checkItem, toFinding } from '../validate/validateProject.ts';
import type { FindingsUpdate } from './languageCalls.ts';

/** How many files are checked for one update: other calls of the thread wait meanwhile. */
const maxChecksPerUpdate = 50;

/** How many findings an update has at most, roughly: with more, it would block the thread that receives it. */
const maxFindingsPerUpdate = 200;

/** A call of {@link ItemNames} on whose result the findings of a file depend. */
interface RecordedLookup {
  /** Returns whether the call has the same result with other names. */
  readonly hasSameResult: (names: ItemNames) => boolean;
}

/** A file that was checked, with all that its findings depend on. */
interface CheckedFile {
  readonly items: readonly FileItem[];
  readonly problems: readonly ProjectProblem[];
  readonly lookups: readonly RecordedLookup[];
  readonly findings: readonly Finding[];
  /** The revision in which the findings have changed. */
  readonly revision: number;
}

/** The findings in all files of a project. After a change, only the files that it may affect are checked again. */
export class ProjectFindings {
  readonly #files = new Map<string, CheckedFile>();
  #revision = 0;
  /** The findings in the settings and environments, and those in other files that depend on these. */
  readonly #settingsFindings = new Map<string, Pick<CheckedFile, 'findings' | 'revision'>>();
  #project: Project;
  #names: ItemNames;
  #isOutdated = true;
  #itemsByPath: ReadonlyMap<string, readonly FileItem[]> = new Map();
  #problemsByPath: ReadonlyMap<string, readonly ProjectProblem[]> = new Map();
  /** The files that have not been checked since the last change. */
  #remaining: Iterator<string> = [].values();
  #hasRemaining = false;

  constructor(project: Project, names: ItemNames) {
    this.#project = project;
    this.#names = names;
  }

  /** Sets the project after a change; {@link getUpdate} checks its files. */
  update(project: Project, names: ItemNames): void {
    this.#project = project;
    this.#names = names;
    this.#isOutdated = true;
  }

  /** Replaces the findings that depend on the settings and environments. */
  setSettingsFindings(findings: readonly Finding[]): void {
    const byPath = Map.groupBy(findings, ({ path }) => path);
    for (const path of new Set([...byPath.keys(), ...this.#settingsFindings.keys()])) {
      const after = byPath.get(path) ?? [];
      const known = this.#settingsFindings.get(path);
      if (!isSameFindings(known?.findings ?? [], after)) {
        this.#settingsFindings.set(path, { findings: after, revision: ++this.#revision });
      }
    }
  }

  /** Checks some of the files, and returns those whose findings have changed since a revision, the earliest first. */
  getUpdate(since: number): FindingsUpdate {
    if (this.#isOutdated) {
      this.#startCheck();
    }
    this.#checkSome();
    const changed = this.#listFiles()
      .filter(([, { revision, findings }]) => revision > since && (since > 0 || findings.length > 0))
      .toSorted(([, a], [, b]) => a.revision - b.revision);
    const files: (readonly [string, readonly Finding[]])[] = [];
    let count = 0;
    let revision = since;
    for (const [path, file] of changed) {
      if (count > maxFindingsPerUpdate) {
        break;
      }
      count += file.findings.length + 1;
      files.push([path, file.findings]);
      ({ revision } = file);
    }
    return { files, revision, hasMore: this.#hasRemaining || files.length < changed.length };
  }

  /** Returns all findings of each file, with the last revision in which they have changed. */
  #listFiles(): readonly (readonly [path: string, Pick<CheckedFile, 'findings' | 'revision'>])[] {
    return [...new Set([...this.#settingsFindings.keys(), ...this.#files.keys()])].map((path) => {
      const [settings, file] = [this.#settingsFindings.get(path), this.#files.get(path)];
      return [
        path,
        settings === undefined || file === undefined
          ? (settings ?? file ?? { findings: [], revision: 0 })
          : {
              findings: sortFindings([...file.findings, ...settings.findings]),
              revision: Math.max(file.revision, settings.revision),
            },
      ];
    });
  }

  #startCheck(): void {
    this.#isOutdated = false;
    this.#itemsByPath = Map.groupBy(this.#project.items, ({ path }) => path);
    this.#problemsByPath = Map.groupBy(this.#project.problems, ({ path }) => path);
    const paths = new Set([
      ...this.#itemsByPath.keys(),
      ...this.#problemsByPath.keys(),
      ...this.#files.keys(),
    ]);
    this.#remaining = paths.values();
    this.#hasRemaining = true;
  }

  #checkSome(): void {
    for (let count = 0; count < maxChecksPerUpdate; ) {
      const next = this.#remaining.next();
      if (next.done === true) {
        this.#hasRemaining = false;
        return;
      }
      count += this.#checkFile(next.value) ? 1 : 0;
    }
  }

  /** Returns whether the file had to be checked again. */
  #checkFile(path: string): boolean {
    const items = this.#itemsByPath.get(path) ?? [];
    const problems = this.#problemsByPath.get(path) ?? [];
    const known = this.#files.get(path);
    if (
      known !== undefined &&
      isSameList(known.items, items, (a, b) => a === b) &&
      isSameList(known.problems, problems, isSameProblem) &&
      known.lookups.every(({ hasSameResult }) => hasSameResult(this.#names))
    ) {
      return false;
    }
    const names = new RecordingNames(this.#names);
    const findings = sortFindings([
      ...problems.map(toFinding),
      ...items.flatMap((item) => checkItem(item, names)),
    ]);
    const isUnchanged = isSameFindings(known?.findings ?? [], findings);
    this.#files.set(path, {
      items,
      problems,
      lookups: names.lookups,
      findings,
      revision: isUnchanged ? (known?.revision ?? 0) : ++this.#revision,
    });
    return true;
  }
}

/** Passes calls on to other names, and records them. */
class RecordingNames implements ItemNames {
  readonly #names: ItemNames;
  readonly lookups: RecordedLookup[] = [];

  constructor(names: ItemNames) {
    this.#names = names;
  }

  getDatamodel(title: string): ReturnType<ItemNames['getDatamodel']> {
    return this.#record((names) => names.getDatamodel(title));
  }

  listDatamodels(): readonly string[] {
    return this.#recordList((names) => names.listDatamodels());
  }

  listDatasets(title: string): readonly string[] {
    return this.#recordList((names) => names.listDatasets(title));
  }

  listCubeSetTables(): readonly string[] {
    return this.#recordList((names) => names.listCubeSetTables());
  }

  isDatamodelMissing(title: string): boolean {
    return this.#record((names) => names.isDatamodelMissing(title));
  }

  isDatasetMissing(title: string, dataset: string): boolean {
    return this.#record((names) => names.isDatasetMissing(title, dataset));
  }

  findCubeSetTable(name: string): ReturnType<ItemNames['findCubeSetTable']> {
    return this.#record((names) => names.findCubeSetTable(name));
  }

  hasAllDatamodels(): boolean {
    return this.#record((names) => names.hasAllDatamodels());
  }

  countExcludedFiles(path: string): number {
    return this.#record((names) => names.countExcludedFiles(path));
  }

  getCustomDataFilter(name: string): ReturnType<ItemNames['getCustomDataFilter']> {
    return this.#record(
      (names) => names.getCustomDataFilter(name),
      (a, b) => jsonEquals(a ?? null, b ?? null),
    );
  }

  #record<T>(ask: (names: ItemNames) => T, isSame: (a: T, b: T) => boolean = Object.is): T {
    const answer = ask(this.#names);
    this.lookups.push({ hasSameResult: (names) => isSame(ask(names), answer) });
    return answer;
  }

  #recordList(ask: (names: ItemNames) => readonly string[]): readonly string[] {
    return this.#record(ask, (a, b) => isSameList(a, b, Object.is));
  }
}

const isSameFindings = (a: readonly Finding[], b: readonly Finding[]): boolean =>
  a.length === b.length && JSON.stringify(a) === JSON.stringify(b);

const isSameList = <T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): boolean =>
  a.length === b.length && a.every((entry, index) => isSame(entry, b[index] as T));

const isSameProblem = (a: ProjectProblem, b: ProjectProblem): boolean =>
  a.code === b.code &&
  a.severity === b.severity &&
  a.line === b.line &&
  a.column === b.column &&
  formatMessage(english, a.message) === formatMessage(english, b.message);

import { type Message, createMessage, english, formatMessage } from '../../base/localize.ts';
import { sortByText } from '../../base/sortByText.ts';
import { type ItemKey, formatItemKey, getOwnerKeys } from '../item.ts';
import { toCanonicalSql } from '../sqlText.ts';
import {
  datamodelItemKinds,
  describeExpectedFolder,
  getDatamodelFolder,
  getFileKind,
  getOriginalPath,
  getPossibleKinds,
  isInExpectedFolder,
} from './fileKinds.ts';
import type { JsonItemKind } from './itemFile.ts';
import { createConflictMessage, findConflictMarker } from './conflictMarkers.ts';
import { findMeantSqlFiles } from './findMeantSqlFiles.ts';
import { type LocatedReference, type ParseResult, parseItem } from './parseItem.ts';
import {
  type FileItem,
  type FilePosition,
  type Project,
  type ProjectProblem,
  type ProjectProblemCode,
  getPosition,
} from './project.ts';
import { type ReadFault, createIgnoredFileFault } from './readFault.ts';
import { resolveSqlReference } from './sqlReference.ts';
import { UnreadFileItems } from './unreadFileItems.ts';

/** The files on disk. Paths are relative to the project, with `/` between their segments. */
export interface ProjectTexts {
  /** The texts of the files, by path. Files that don't belong to a project are ignored. */
  readonly texts: ReadonlyMap<string, string>;
  readonly faults: readonly ReadFault[];
}

/** The results of parsing files, by path. A file with the same text and context is not parsed again. */
export type ParsedFiles = Map<string, ParsedFile>;

interface ParsedFile {
  readonly text: string;
  /** What else the result depends on: the title of the datamodel, or the key of SQL. */
  readonly context: string;
  readonly result: ParseResult;
}

/**
 * Reads the items of a project from the texts of its files.
 * @param parsedFiles the results of an earlier call, which are used again and brought up to date
 */
export const parseProject = (files: ProjectTexts, parsedFiles: ParsedFiles = new Map()): Project =>
  new ProjectParser(files, parsedFiles).parse();

const fileStart: FilePosition = { line: 1, column: 1 };

class ProjectParser {
  readonly #files: ProjectTexts;
  readonly #problems: ProjectProblem[] = [];
  readonly #unreadItems = new UnreadFileItems();
  readonly #items: FileItem[] = [];
  readonly #references: LocatedReference[] = [];
  /** The titles of the datamodels, by folder. */
  readonly #titles = new Map<string, string>();
  /** The folders with tables that could not be read: these tables may refer to any SQL file in the folder. */
  readonly #foldersWithUnreadTables = new Set<string>();
  /** The files with SQL that have markers of a merge conflict. */
  readonly #conflictingSqlPaths = new Set<string>();

  readonly #parsedFiles: ParsedFiles;

  constructor(files: ProjectTexts, parsedFiles: ParsedFiles) {
    this.#files = files;
    this.#parsedFiles = parsedFiles;
  }

  parse(): Project {
    const paths = [...this.#files.texts.keys()].filter((path) => getFileKind(path) !== undefined).toSorted();
    const wellPlacedPaths = paths.filter((path) => this.#checkFolder(path));
    this.#readDatamodelTitles(wellPlacedPaths);
    for (const { path, code, message } of this.#files.faults.map((fault) => this.#reclassifyBackup(fault))) {
      if (code === 'ignored-file') {
        this.#problems.push({ path, code, severity: 'warning', message, ...fileStart });
      } else {
        this.#addError(path, code, message);
      }
    }
    for (const path of wellPlacedPaths) {
      const kind = getFileKind(path);
      if (kind !== undefined && kind !== 'sql' && kind !== 'datamodel') {
        this.#readItem(path, kind);
      }
    }
    this.#readExpressions(wellPlacedPaths.filter((path) => getFileKind(path) === 'sql'));
    const items = this.#removeDuplicates();
    const keys = new Set(items.map(({ key }) => formatItemKey(key)));
    const knownTitles = new Set(this.#titles.values());
    return {
      items,
      problems: sortByText(
        this.#problems,
        ({ path, line, column, message }) =>
          `${path}\0${pad(line)}${pad(column)}${formatMessage(english, message)}`,
      ),
      paths: [
        ...paths,
        ...this.#files.faults.map(({ path }) => path).filter((path) => getFileKind(path) !== undefined),
      ].toSorted(),
      mayBeInUnreadFile: (key) =>
        !keys.has(formatItemKey(key)) && this.#unreadItems.mayContain(key, knownTitles),
    };
  }

  #getText(path: string): string {
    return this.#files.texts.get(path) ?? '';
  }

  /**
   * Returns the fault of an ignored file for a backup beside its original, such as one that a merge creates: its name
   * isn't wrong. Returns any other fault unchanged.
   */
  #reclassifyBackup(fault: ReadFault): ReadFault {
    const original = fault.code === 'misnamed-file' ? getOriginalPath(fault.path) : undefined;
    return original !== undefined && this.#files.texts.has(original)
      ? createIgnoredFileFault(fault.path)
      : fault;
  }

  /** Reports a problem of a file or folder. All items that it may contain count as unread. */
  #addError(
    path: string,
    code: ProjectProblemCode,
    message: Message,
    details: Pick<ProjectProblem, 'line' | 'column' | 'misspelled'> = fileStart,
  ): void {
    this.#problems.push({ path, code, severity: 'error', message, ...details });
    const folder = getDatamodelFolder(path);
    const kinds = getPossibleKinds(path);
    this.#unreadItems.addKinds(kinds, folder === undefined ? undefined : this.#titles.get(folder));
    if (folder !== undefined && kinds.includes('table')) {
      this.#foldersWithUnreadTables.add(folder);
    }
  }

  #checkFolder(path: string): boolean {
    const kind = getFileKind(path);
    if (kind === undefined || kind === 'sql' || isInExpectedFolder(kind, path)) {
      return true;
    }
    this.#problems.push({
      path,
      code: 'misplaced-file',
      severity: 'error',
      message: createMessage(
        'This file is in the wrong folder. Expected: {0}.',
        describeExpectedFolder(kind),
      ),
      ...fileStart,
    });
    // Which datamodel a misplaced file belongs to is not known, even if it is in the folder of one.
    this.#unreadItems.addKindsInAnyDatamodel(getPossibleKinds(path));
    this.#foldersWithUnreadTables.add(kind === 'table' ? (getDatamodelFolder(path) ?? '') : '');
    return false;
  }

  /** Reads which datamodel each folder belongs to. */
  #readDatamodelTitles(paths: readonly string[]): void {
    const pathsByFolder = Map.groupBy(paths, (path) => getDatamodelFolder(path) ?? '');
    const foldersByTitle = new Map<string, string[]>();
    const unreadFolders = new Set(
      this.#files.faults
        .filter(({ path }) => getFileKind(path) === 'datamodel')
        .map(({ path }) => getDatamodelFolder(path)),
    );
    for (const [folder, folderPaths] of pathsByFolder) {
      const datamodelPaths = folderPaths.filter((path) => getFileKind(path) === 'datamodel');
      const [path] = datamodelPaths;
      if (folder === '' || unreadFolders.has(folder)) {
        continue;
      }
      if (path === undefined) {
        this.#addError(
          folder,
          'missing-datamodel',
          createMessage('The folder has no ".datamodel.json" file, so its datamodel is unknown.'),
        );
      } else if (datamodelPaths.length > 1) {
        for (const other of datamodelPaths) {
          this.#addError(
            other,
            'duplicate-item',
            createMessage('The folder has several ".datamodel.json" files.'),
          );
        }
      } else {
        const title = this.#readItem(path, 'datamodel');
        if (title !== undefined) {
          foldersByTitle.set(title, [...(foldersByTitle.get(title) ?? []), folder]);
        }
      }
    }
    for (const [title, folders] of foldersByTitle) {
      folders.forEach((folder) => this.#titles.set(folder, title));
      if (folders.length > 1) {
        this.#unreadItems.addKinds(datamodelItemKinds, title);
      }
    }
  }

  /**
   * Reads the item of a file. Returns the title of a datamodel; `undefined` for any other item, or if the file has a
   * problem.
   */
  #readItem(path: string, kind: JsonItemKind): string | undefined {
    const folder = getDatamodelFolder(path);
    const title = folder === undefined ? '' : this.#titles.get(folder);
    const result = this.#parseOnce(path, title ?? '', (text) => parseItem({ path, kind, text }, title ?? ''));
    if ('fault' in result) {
      const { code, message, position, ...details } = result.fault;
      this.#addError(path, code, message, { ...position, ...details });
      return undefined;
    }
    const { item, references } = result;
    // Without a title, the item has no key. The folder has a problem already.
    if (title !== undefined || kind === 'datamodel') {
      this.#items.push(item);
      this.#references.push(...references);
    } else if (folder !== undefined && kind === 'table') {
      this.#foldersWithUnreadTables.add(folder);
    }
    return item.key.kind === 'datamodel' ? item.key.datamodel : undefined;
  }

  #parseOnce(path: string, context: string, parse: (text: string) => ParseResult): ParseResult {
    const text = this.#getText(path);
    const earlier = this.#parsedFiles.get(path);
    if (earlier?.text === text && earlier.context === context) {
      return earlier.result;
    }
    const result = parse(text);
    this.#parsedFiles.set(path, { text, context, result });
    return result;
  }

  /** Reports SQL with markers of a merge conflict, whether or not a table is known to refer to it. */
  #reportConflictingSql(sqlPaths: readonly string[]): void {
    for (const path of sqlPaths) {
      const text = this.#getText(path);
      const marker = findConflictMarker(text);
      if (marker !== undefined) {
        this.#conflictingSqlPaths.add(path);
        this.#problems.push({
          path,
          code: 'merge-conflict',
          severity: 'error',
          message: createConflictMessage(),
          ...getPosition(text, marker),
        });
      }
    }
  }

  #readExpressions(sqlPaths: readonly string[]): void {
    this.#reportConflictingSql(sqlPaths);
    // Some systems return file names in decomposed Unicode form.
    const composedPaths = new Map(
      [...sqlPaths, ...this.#files.faults.map(({ path }) => path)].map((path) => [
        path.normalize('NFC'),
        path,
      ]),
    );
    const targets = this.#references.map((reference) => {
      const target = resolveSqlReference(reference.tablePath, reference.file);
      const path = this.#files.texts.has(target) ? target : composedPaths.get(target.normalize('NFC'));
      return { reference, path };
    });
    const referencesByPath = Map.groupBy(targets, ({ path }) => path);
    const unreferencedPaths = sqlPaths.filter((path) => !referencesByPath.has(path));
    for (const { reference, path } of targets) {
      if (path === undefined) {
        this.#addMissingSql(reference, unreferencedPaths);
      } else {
        this.#readExpression(reference, path, (referencesByPath.get(path)?.length ?? 0) > 1);
      }
    }
    for (const path of unreferencedPaths) {
      if (!this.#foldersWithUnreadTables.has(getDatamodelFolder(path) ?? '')) {
        this.#problems.push({
          path,
          code: 'unreferenced-sql',
          severity: 'warning',
          message: createMessage('No table or column refers to this file.'),
          ...fileStart,
        });
      }
    }
  }

  #addMissingSql(reference: LocatedReference, unreferencedPaths: readonly string[]): void {
    const { key, file, tablePath } = reference;
    const misspelled = findMeantSqlFiles(reference, unreferencedPaths);
    this.#unreadItems.addKey(key);
    this.#problems.push({
      path: tablePath,
      ...reference.getPosition(),
      code: 'missing-sql',
      severity: 'error',
      message: createMessage('File not found: {0}', file),
      ...(misspelled === undefined ? {} : { misspelled }),
    });
  }

  #readExpression(
    { key, file, tablePath, getPosition: getReferencePosition }: LocatedReference,
    path: string,
    isShared: boolean,
  ): void {
    const text = this.#conflictingSqlPaths.has(path) ? undefined : this.#files.texts.get(path);
    const addProblem = (
      code: ProjectProblemCode,
      message: Message,
      location = { path: tablePath, ...getReferencePosition() },
    ) => {
      this.#unreadItems.addKey(key);
      this.#problems.push({ ...location, code, severity: 'error', message });
    };
    if (isShared) {
      addProblem(
        'shared-sql',
        createMessage('Several tables or columns refer to {0}. Each needs a file of its own.', file),
      );
    } else if (text === undefined) {
      // The file itself has the problem.
      this.#unreadItems.addKey(key);
    } else if (toCanonicalSql(text).trim() === '') {
      addProblem('empty-sql', createMessage('The file has no SQL.'), { path, ...fileStart });
    } else {
      const result = this.#parseOnce(path, formatItemKey(key), () => ({
        item: { key, content: toCanonicalSql(text), path, text },
        references: [],
      }));
      this.#items.push(...('item' in result ? [result.item] : []));
    }
  }

  /** Returns the items, sorted, without items that are in several files, and without what belongs to these. */
  #removeDuplicates(): readonly FileItem[] {
    const itemsByKey = Map.groupBy(this.#items, ({ key }) => formatItemKey(key));
    const duplicates = new Map([...itemsByKey].filter(([, items]) => items.length > 1));
    // Most projects have no duplicates, and formatting a key takes time.
    const isDuplicate = (key: ItemKey): boolean => duplicates.size > 0 && duplicates.has(formatItemKey(key));
    for (const items of duplicates.values()) {
      for (const [index, { key, path }] of items.entries()) {
        this.#unreadItems.addKey(key);
        if (!getOwnerKeys(key).some(isDuplicate)) {
          this.#problems.push({
            path,
            code: 'duplicate-item',
            severity: 'error',
            message: createMessage('The same item is in {0}.', items[index === 0 ? 1 : 0]?.path ?? ''),
            ...fileStart,
          });
        }
      }
    }
    return sortByText(
      this.#items.filter(({ key }) => ![key, ...getOwnerKeys(key)].some(isDuplicate)),
      ({ key }) => formatItemKey(key),
    );
  }
}

const pad = (position: number): string => String(position).padStart(9, '0');

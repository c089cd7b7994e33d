import { ProjectFiles } from '../files/projectFiles.ts';
import type { NumberedReference } from '../instance/parties.ts';
import { type ItemKey, formatItemKey, renamedFromMember } from '../item.ts';
import { getMember } from '../../base/json.ts';
import { listEnvironments } from '../pull/findEnvironments.ts';
import { type Lock, LockError, readLock } from '../pull/lock.ts';
import { createSelection, defaultProjectSettings, readProjectSettings } from '../settings/projectSettings.ts';
import { isInItemFolder } from '../paths.ts';
import { projectFileName } from '../projectFileName.ts';
import { SettingsFileError } from '../settings/settingsFile.ts';
import type { Selection } from '../source/selection.ts';
import { type CheckedSettings, checkSettings } from '../validate/checkSettings.ts';
import { type Finding, sortFindings } from '../validate/finding.ts';
import { ProjectNames } from '../validate/projectNames.ts';
import { findFileProblems, findSettingsProblems } from '../validate/validateProject.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import { editFileRules } from './editFileRules.ts';
import { RuleVersions, locateRule, readFileRules } from './fileRules.ts';
import { FileTables } from './fileTables.ts';
import { findDeclaration, findNameAt, findReferences, findTableItem } from './findReferences.ts';
import type {
  DatamodelUpdate,
  FileContext,
  FileLocation,
  FileRules,
  FindingsUpdate,
  LanguageCalls,
  LanguageTarget,
  ProjectChange,
  TableOrColumnName,
  ProjectRename,
  RuleCellEdit,
  RuleLocation,
  RulesEdit,
  RulesSubject,
  PositionRange,
  ProjectNameLists,
} from './languageCalls.ts';
import { LocatedText } from './locatedText.ts';
import { createColumnId } from './nameIds.ts';
import { ProjectFindings } from './projectFindings.ts';
import { ProjectIndex } from './projectIndex.ts';
import { renameInProject } from './renameInProject.ts';
import { collectProjectNames } from './collectProjectNames.ts';

/**
 * Finds and renames the names in the files of a project, with unsaved changes. After a change it reads and parses only
 * the files that have changed. It sends no requests.
 */
export class LanguageEngine implements LanguageCalls {
  readonly #folder: string;
  readonly #files: ProjectFiles;
  readonly #unsaved = new Map<string, string>();
  #selection: Selection | undefined;
  #index: ProjectIndex;
  #tables = new Map<string, FileTables>();
  /** Whether the settings or environments may have changed since their findings were found. */
  #hasChangedSettings = true;
  #settings: CheckedSettings | undefined;
  /** The index with which the settings were compared last, and what was found. */
  #settingsIndex: ProjectIndex | undefined;
  #settingsFindings: readonly Finding[] = [];
  /** Created when the findings of all files are requested for the first time. */
  #findings: ProjectFindings | undefined;
  readonly #ruleVersions = new RuleVersions();
  #revision = 0;
  /** Collected when they are requested. */
  #projectNames: ProjectNameLists | undefined;

  constructor({ folder }: LanguageTarget) {
    this.#folder = folder;
    this.#files = new ProjectFiles(folder);
    const project = this.#files.parse();
    this.#index = new ProjectIndex(project, new ProjectNames(project, undefined));
  }

  async reload(): Promise<ProjectChange> {
    this.#hasChangedSettings = true;
    await this.#readSettings();
    await this.#files.readAll();
    return this.#parse();
  }

  findChanges(): Promise<readonly string[]> {
    return this.#files.findChanges();
  }

  async update(paths: readonly string[]): Promise<ProjectChange> {
    if (paths.includes(projectFileName)) {
      await this.#readSettings();
    }
    this.#hasChangedSettings ||= paths.some((path) => !isInItemFolder(path));
    await this.#files.read(paths);
    return this.#parse();
  }

  setUnsaved(texts: readonly { readonly path: string; readonly text?: string }[]): ProjectChange {
    for (const { path, text } of texts) {
      if (text === undefined) {
        this.#unsaved.delete(path);
      } else {
        this.#unsaved.set(path, text);
      }
    }
    return this.#parse();
  }

  getFile(path: string): FileContext {
    return {
      key: this.#index.find(path)?.key,
      datamodel: this.#index.getDatamodelOfFolder(path),
    };
  }

  getDatamodel({
    title,
    since,
  }: {
    readonly title: string;
    readonly since: number;
  }): DatamodelUpdate | undefined {
    return this.#tables.get(title)?.createUpdate(title, since);
  }

  getProjectNames(): ProjectNameLists {
    this.#projectNames ??= collectProjectNames(this.#index.project);
    return this.#projectNames;
  }

  async getFindings(path: string): Promise<readonly Finding[]> {
    const { project, names } = this.#index;
    const settingsProblems = (await this.#findSettingsProblems()).filter((finding) => finding.path === path);
    return isInItemFolder(path)
      ? sortFindings([...findFileProblems(project, names, path), ...settingsProblems])
      : settingsProblems;
  }

  async getFindingsUpdate(since: number): Promise<FindingsUpdate> {
    this.#findings ??= new ProjectFindings(this.#index.project, this.#index.names);
    this.#findings.setSettingsFindings(await this.#findSettingsProblems());
    return this.#findings.getUpdate(since);
  }

  findName({
    path,
    offset,
  }: {
    readonly path: string;
    readonly offset: number;
  }): { readonly name: TableOrColumnName; readonly span: PositionRange } | undefined {
    const text = this.#files.getText(path, this.#unsaved);
    return text === undefined ? undefined : findNameAt(this.#index, path, text, offset);
  }

  findDefinition(name: TableOrColumnName): FileLocation | undefined {
    return findDeclaration(this.#index, name);
  }

  findReferences({
    name,
    includesDeclaration,
  }: {
    readonly name: TableOrColumnName;
    readonly includesDeclaration: boolean;
  }): readonly FileLocation[] {
    return findReferences(this.#index, name, includesDeclaration);
  }

  getSecuredColumns(datamodel: string): readonly ColumnName[] {
    return this.#index.project.items.flatMap(({ key }) =>
      key.kind === 'rules' && key.datamodel === datamodel ? [{ table: key.table, column: key.column }] : [],
    );
  }

  getRules(request: { readonly subject: RulesSubject; readonly since: string | undefined }): FileRules {
    return readFileRules(this.#index, this.#ruleVersions, request);
  }

  editRules({
    subject,
    version,
    cells,
  }: {
    readonly subject: RulesSubject;
    readonly version: string;
    readonly cells: readonly RuleCellEdit[];
  }): RulesEdit {
    return this.getRules({ subject, since: version }).version === version
      ? editFileRules(this.#index, subject, cells)
      : { refusal: 'changed' };
  }

  locateRule(place: RuleLocation): FileLocation | undefined {
    return locateRule(this.#index, place);
  }

  async getNumberedReferences(environmentName: string): Promise<readonly NumberedReference[]> {
    return (await readUsableLock(this.#folder, environmentName))?.numberedReferences ?? [];
  }

  findRelation({
    datamodel,
    columns,
  }: {
    readonly datamodel: string;
    readonly columns: readonly string[];
  }): FileLocation | undefined {
    const item = this.#index.project.items.find(
      ({ key }) =>
        key.kind === 'relation' &&
        key.datamodel === datamodel &&
        key.columns.length === columns.length &&
        key.columns.every(({ table, column }, index) => createColumnId(table, column) === columns[index]),
    );
    return item && new LocatedText(item).locate({ start: 0, end: 0 });
  }

  async rename({
    name,
    newName,
  }: {
    readonly name: TableOrColumnName;
    readonly newName: string;
  }): Promise<ProjectRename> {
    const locks = await this.#readLocks();
    return renameInProject(this.#index, {
      name,
      newName,
      isPulled: (pulled) =>
        locks.length === 0 ? undefined : locks.some((lock) => this.#isInLock(lock, pulled)),
    });
  }

  /** Finds the problems in the settings and environments, if anything that they depend on has changed. */
  async #findSettingsProblems(): Promise<readonly Finding[]> {
    if (this.#hasChangedSettings) {
      this.#hasChangedSettings = false;
      this.#settings = await checkSettings(this.#folder);
      this.#settingsIndex = undefined;
    }
    if (this.#settings !== undefined && this.#settingsIndex !== this.#index) {
      this.#settingsIndex = this.#index;
      const { project, names } = this.#index;
      this.#settingsFindings = findSettingsProblems(project, names, this.#settings);
    }
    return this.#settingsFindings;
  }

  async #readSettings(): Promise<void> {
    try {
      this.#selection = createSelection((await readProjectSettings(this.#folder)) ?? defaultProjectSettings);
    } catch (error) {
      if (!(error instanceof SettingsFileError)) {
        throw error;
      }
      this.#selection = undefined;
    }
  }

  #parse(): ProjectChange {
    const before = this.#index.names;
    const project = this.#files.parse(this.#unsaved);
    const names = new ProjectNames(project, this.#selection, before);
    this.#index = new ProjectIndex(project, names);
    this.#findings?.update(project, names);
    this.#projectNames = undefined;
    const titles = [...new Set([...before.listDatamodels(), ...names.listDatamodels()])];
    const changed = titles.filter((title) => before.getDatamodel(title) !== names.getDatamodel(title));
    for (const title of changed) {
      const model = names.getDatamodel(title);
      if (model === undefined) {
        this.#tables.delete(title);
      } else {
        this.#tables.set(title, new FileTables(model, this.#tables.get(title), () => ++this.#revision));
      }
    }
    return { datamodels: changed };
  }

  /** Reads the lock files of all environments; those that can't be used are left out. */
  async #readLocks(): Promise<readonly Lock[]> {
    const environments = await listEnvironments(this.#folder);
    const locks = await Promise.all(environments.map(({ name }) => readUsableLock(this.#folder, name)));
    return locks.filter((lock) => lock !== undefined && lock.entries.size > 0) as readonly Lock[];
  }

  /**
   * Returns whether a lock file has a table or column with this name. The entry of a column's table may still have the
   * table's former name.
   */
  #isInLock({ entries }: Lock, name: TableOrColumnName): boolean {
    const { datamodel, table, column } = name;
    const formerTable =
      column === undefined
        ? undefined
        : getMember(findTableItem(this.#index, name)?.content, renamedFromMember);
    const entry = [table, formerTable]
      .filter((candidate) => typeof candidate === 'string')
      .map((candidate) => entries.get(formatItemKey(createTableKey(datamodel, candidate))))
      .find((candidate) => candidate !== undefined);
    return (
      entry !== undefined &&
      (column === undefined || entry.columns === undefined || Object.hasOwn(entry.columns, column))
    );
  }
}

/** Reads the lock file of an environment; `undefined` if it can't be used. */
async function readUsableLock(folder: string, environmentName: string): Promise<Lock | undefined> {
  try {
    return await readLock(folder, environmentName);
  } catch (error) {
    if (error instanceof LockError) {
      return undefined;
    }
    throw error;
  }
}

const createTableKey = (datamodel: string, table: string): ItemKey => ({ kind: 'table', datamodel, table });

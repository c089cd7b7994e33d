import { type JsonValue, getMember } from '../../base/json.ts';
import { getDatamodelFolder, getFileKind } from '../files/fileKinds.ts';
import type { FileItem, Project } from '../files/project.ts';
import { projectFileName } from '../settings/projectSettings.ts';
import type { Finding } from './finding.ts';

/**
 * Returns whether findings may be due to changed files: they are in these, or in files that depend on them.
 * @param changedPaths the paths of changed, new, and deleted files in the project
 */
export function createAffectedCheck(
  project: Project,
  changedPaths: readonly string[],
): (finding: Finding) => boolean {
  // Some systems return decomposed names.
  const changed = new Set(changedPaths.map(normalize));
  if (changed.has(projectFileName)) {
    return () => true;
  }
  const scope = findScope(project, changed);
  const dependents = new Set(
    project.items.filter((item) => isDependent(item, scope)).map(({ path }) => path),
  );
  return ({ path: exactPath, code }) => {
    const path = normalize(exactPath);
    const folder = getDatamodelFolder(path);
    return (
      changed.has(path) ||
      dependents.has(exactPath) ||
      (folder !== undefined && scope.folders.has(folder)) ||
      (folder !== undefined && scope.foldersOfSql.has(folder) && getFileKind(path) === 'table') ||
      (scope.hasChangedTitles && code.endsWith('/unknown-datamodel')) ||
      // Each of the files has the finding, and only one may have changed.
      (code === 'project/duplicate-item' && scope.hasChangedItems) ||
      // It isn't known what has changed there.
      code === 'project/unreadable'
    );
  };
}

const normalize = (path: string): string => path.normalize('NFC');

/** What changed files affect beyond themselves. */
interface ChangeScope {
  /** The folders of datamodels whose names may have changed: everything in them is affected, and their viewpoints. */
  readonly folders: ReadonlySet<string>;
  /** The folders of datamodels in which the SQL of a column changed: tables refer to it. */
  readonly foldersOfSql: ReadonlySet<string>;
  /** The titles of the datamodels whose names may have changed. */
  readonly titles: ReadonlySet<string>;
  /** True if a datamodel may have been added, renamed, or deleted. */
  readonly hasChangedTitles: boolean;
  readonly hasChangedItems: boolean;
}

function findScope(project: Project, changed: ReadonlySet<string>): ChangeScope {
  const columnSql = new Set(
    project.items.filter(({ key }) => key.kind === 'columnExpression').map(({ path }) => normalize(path)),
  );
  const folders = new Set<string>();
  const foldersOfSql = new Set<string>();
  let hasChangedTitles = false;
  let hasChangedItems = false;
  for (const path of changed) {
    const kind = getFileKind(path);
    const folder = getDatamodelFolder(path);
    hasChangedItems ||= kind !== undefined;
    hasChangedTitles ||= kind === 'datamodel';
    if (folder === undefined || kind === undefined || kind === 'rules' || kind === 'relation') {
      // Nothing depends on it.
    } else if (columnSql.has(path)) {
      foldersOfSql.add(folder);
    } else {
      folders.add(folder);
    }
  }
  const titles = project.items.flatMap(({ key, path }) =>
    key.kind === 'datamodel' && folders.has(normalize(getDatamodelFolder(path) ?? '')) ? [key.datamodel] : [],
  );
  return { folders, foldersOfSql, titles: new Set(titles), hasChangedTitles, hasChangedItems };
}

/** True for the viewpoints of the datamodels whose names may have changed. */
function isDependent({ key, content }: FileItem, { titles }: ChangeScope): boolean {
  const title = ['details', 'datasource', 'title'].reduce<JsonValue | undefined>(getMember, content);
  return key.kind === 'viewpoint' && typeof title === 'string' && titles.has(title);
}

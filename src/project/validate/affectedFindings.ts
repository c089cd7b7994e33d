import { type JsonValue, getMember } from '../../base/json.ts';
import { getDatamodelFolder, getFileKind } from '../files/fileKinds.ts';
import type { FileItem, Project } from '../files/project.ts';
import type { Finding } from './finding.ts';
import { projectFileName } from '../projectFileName.ts';

/**
 * Returns a function that checks whether a finding may be due to changed files: it is in one of them, or in a file that
 * depends on one.
 * @param changedPaths the paths of changed, new, and deleted files in the project
 */
export function createAffectedCheck(
  project: Project,
  changedPaths: readonly string[],
): (finding: Finding) => boolean {
  // Some systems return file names in decomposed Unicode form.
  const changed = new Set(changedPaths.map(normalize));
  if (changed.has(projectFileName)) {
    return () => true;
  }
  const scope = findScope(project, changed);
  const hasChangedLock = [...changed].some((path) => path.endsWith('.lock.json'));
  const dependents = new Set(
    project.items.filter((item) => isDependent(item, scope)).map(({ path }) => path),
  );
  return ({ path: exactPath, code }) => {
    const path = normalize(exactPath);
    const folder = getDatamodelFolder(path);
    return (
      changed.has(path) ||
      dependents.has(exactPath) ||
      (folder !== undefined && scope.foldersWithChangedNames.has(folder)) ||
      (folder !== undefined && scope.foldersWithChangedSql.has(folder) && getFileKind(path) === 'table') ||
      (scope.hasChangedTitles && code.endsWith('/unknown-datamodel')) ||
      (scope.foldersWithChangedNames.size > 0 && code === 'settings/unknown-dataset') ||
      (hasChangedLock && code === 'project/renamed-twice') ||
      // Every file with the duplicate item has this finding, even if another one of them has changed.
      (code === 'project/duplicate-item' && scope.hasChangedItems) ||
      // Nobody knows what has changed in an unreadable file or folder.
      code === 'project/unreadable'
    );
  };
}

const normalize = (path: string): string => path.normalize('NFC');

/** What is affected by changed files, beyond the files themselves. */
interface ChangeScope {
  /**
   * The folders of datamodels in which names of tables or columns may have changed: everything in them is affected, and
   * so are their viewpoints and the rules of cube sets, which may have any datamodel.
   */
  readonly foldersWithChangedNames: ReadonlySet<string>;
  /** The folders of datamodels in which the SQL of a column changed: tables refer to this SQL. */
  readonly foldersWithChangedSql: ReadonlySet<string>;
  /** The titles of the datamodels in which names of tables or columns may have changed. */
  readonly titlesWithChangedNames: ReadonlySet<string>;
  /** Whether a datamodel may have been added, renamed, or deleted. */
  readonly hasChangedTitles: boolean;
  readonly hasChangedItems: boolean;
}

function findScope(project: Project, changed: ReadonlySet<string>): ChangeScope {
  const columnSql = new Set(
    project.items.filter(({ key }) => key.kind === 'columnExpression').map(({ path }) => normalize(path)),
  );
  const foldersWithChangedNames = new Set<string>();
  const foldersWithChangedSql = new Set<string>();
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
      foldersWithChangedSql.add(folder);
    } else {
      foldersWithChangedNames.add(folder);
    }
  }
  const titlesWithChangedNames = project.items.flatMap(({ key, path }) =>
    key.kind === 'datamodel' && foldersWithChangedNames.has(normalize(getDatamodelFolder(path) ?? ''))
      ? [key.datamodel]
      : [],
  );
  return {
    foldersWithChangedNames,
    foldersWithChangedSql,
    titlesWithChangedNames: new Set(titlesWithChangedNames),
    hasChangedTitles,
    hasChangedItems,
  };
}

/**
 * Returns whether an item is a viewpoint of a datamodel in which names of tables or columns may have changed, or the
 * rules of a cube set, which may have any datamodel.
 */
function isDependent(
  { key, content }: FileItem,
  { foldersWithChangedNames, titlesWithChangedNames }: ChangeScope,
): boolean {
  if (key.kind === 'cubeSetRules') {
    return foldersWithChangedNames.size > 0;
  }
  const title = ['details', 'datasource', 'title'].reduce<JsonValue | undefined>(getMember, content);
  return key.kind === 'viewpoint' && typeof title === 'string' && titlesWithChangedNames.has(title);
}

import { assignStems, foldPath, type ProjectSuffix, type StemNames } from './fileNames.ts';
import { formatItemKey, type ItemKey, type ItemKind } from './item.ts';

// The path of an item is relative to the folder of the project, with `/` between its segments. It depends on names
// only: that of the item, and those of siblings that some file systems consider equal to it.

/** The names of the folders in a project. */
export const projectFolders = {
  datamodels: 'datamodels',
  datasets: 'datasets',
  tables: 'tables',
  relations: 'relations',
  rules: 'rules',
  viewpoints: 'viewpoints',
  cubeSets: 'cube-sets',
  customData: 'custom-data',
} as const;

/** The folders at the root of a project that contain items. */
export const itemFolders: readonly string[] = [
  projectFolders.datamodels,
  projectFolders.viewpoints,
  projectFolders.cubeSets,
  projectFolders.customData,
];

const topFolders: ReadonlySet<string> = new Set(itemFolders);

/** Returns whether a path is in a folder that items are read from: hidden files and folders are not. */
export function isInItemFolder(path: string): boolean {
  const names = path.split('/');
  return topFolders.has(names[0] ?? '') && names.every((name) => !name.startsWith('.'));
}

/** Returns the folders that a path is in, from the outermost one. */
export function getParentFolders(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

/** The end of the name of each kind of file. */
export const itemSuffixes: Readonly<Record<ItemKind, ProjectSuffix>> = {
  datamodel: '.datamodel.json',
  dataset: '.dataset.json',
  table: '.table.json',
  tableExpression: '.datamodel.sql',
  columnExpression: '.datamodel.sql',
  relation: '.relation.json',
  rules: '.rules.json',
  viewpoint: '.viewpoint.json',
  cubeSetRules: '.rules.json',
  customData: '.custom-data.json',
};

/** A segment of a path that is created from names. */
interface NamedSegment {
  /** Identifies the folder that the segment is in; names are distinct within it. */
  readonly folderId: string;
  readonly names: StemNames;
}

/** Returns the segments of an item's path that are created from names, from the outermost to the innermost. */
function getNamedSegments(key: ItemKey): readonly NamedSegment[] {
  const { datamodels, cubeSets, viewpoints, customData } = projectFolders;
  switch (key.kind) {
    case 'viewpoint':
      return [{ folderId: viewpoints, names: [[key.viewpoint]] }];
    case 'customData':
      return [{ folderId: customData, names: [[key.name]] }];
    case 'cubeSetRules':
      return [
        { folderId: cubeSets, names: [[key.cubeSet]] },
        { folderId: getFolderId(cubeSets, key.cubeSet), names: [[key.table, key.column]] },
      ];
    case 'datamodel':
    case 'dataset':
    case 'table':
    case 'tableExpression':
    case 'columnExpression':
    case 'relation':
    case 'rules':
      return [{ folderId: datamodels, names: [[key.datamodel]] }, ...getInnerSegments(key)];
  }
}

type DatamodelItemKey = Extract<ItemKey, { readonly datamodel: string }>;

function getInnerSegments(key: DatamodelItemKey): readonly NamedSegment[] {
  const { datasets, tables, relations, rules } = projectFolders;
  const tablesId = getFolderId(tables, key.datamodel);
  switch (key.kind) {
    case 'datamodel':
      return [];
    case 'dataset':
      return [{ folderId: getFolderId(datasets, key.datamodel), names: [[key.dataset]] }];
    case 'table':
    case 'tableExpression':
      return [{ folderId: tablesId, names: [[key.table]] }];
    case 'columnExpression':
      return [
        { folderId: tablesId, names: [[key.table]] },
        { folderId: getFolderId(tables, key.datamodel, key.table), names: [[key.column]] },
      ];
    case 'relation':
      return [
        {
          folderId: getFolderId(relations, key.datamodel),
          names: key.columns.map(({ table, column }) => [table, column]),
        },
      ];
    case 'rules':
      return [{ folderId: getFolderId(rules, key.datamodel), names: [[key.table, key.column]] }];
  }
}

const getFolderId = (...names: readonly string[]): string => JSON.stringify(names);

/** Joins the stems of an item into a path. */
function joinPath(kind: ItemKind, stems: readonly string[]): string {
  const { datamodels, datasets, tables, relations, rules, viewpoints, cubeSets, customData } = projectFolders;
  const [outer = '', middle = '', inner = ''] = stems;
  const suffix = itemSuffixes[kind];
  switch (kind) {
    case 'datamodel':
      return `${datamodels}/${outer}/${outer}${suffix}`;
    case 'dataset':
      return `${datamodels}/${outer}/${datasets}/${middle}${suffix}`;
    case 'table':
    case 'tableExpression':
      return `${datamodels}/${outer}/${tables}/${middle}${suffix}`;
    case 'columnExpression':
      return `${datamodels}/${outer}/${tables}/${middle}/${inner}${suffix}`;
    case 'relation':
      return `${datamodels}/${outer}/${relations}/${middle}${suffix}`;
    case 'rules':
      return `${datamodels}/${outer}/${rules}/${middle}${suffix}`;
    case 'viewpoint':
      return `${viewpoints}/${outer}${suffix}`;
    case 'cubeSetRules':
      return `${cubeSets}/${outer}/${rules}/${middle}${suffix}`;
    case 'customData':
      return `${customData}/${outer}${suffix}`;
  }
}

/** Returns the stems in the path of an item: the reverse of {@link joinPath}, also for renamed files. */
function splitPath(kind: ItemKind, path: string): readonly string[] {
  const segments = path.slice(0, -itemSuffixes[kind].length).split('/');
  const [, outer = '', , middle = '', inner = ''] = segments;
  switch (kind) {
    case 'datamodel':
    case 'viewpoint':
    case 'customData':
      return [outer];
    case 'columnExpression':
      return [outer, middle, inner];
    case 'dataset':
    case 'table':
    case 'tableExpression':
    case 'relation':
    case 'rules':
    case 'cubeSetRules':
      return [outer, middle];
  }
}

/** An item with the path of its file. */
export interface ItemPath {
  readonly key: ItemKey;
  readonly path: string;
}

/** The names in a folder. */
interface FolderNames {
  /** The stems of existing files, by the ID of their names. */
  readonly fixed: Map<string, string>;
  /** The names that still need a stem, by their ID. */
  readonly free: Map<string, StemNames>;
}

/**
 * Returns the path of each item, by the text of its key ({@link formatItemKey}). Without existing files, the paths
 * depend only on the keys, not on their order. Paths are distinct and legal on Windows and Unix, also on systems that
 * ignore case or normalization.
 * @param existing the paths of existing files, which are kept. New files are put in the same folders, even if the user
 *   has renamed these folders.
 */
export function assignPaths(
  keys: Iterable<ItemKey>,
  existing: readonly ItemPath[] = [],
): ReadonlyMap<string, string> {
  const folders = new Map<string, FolderNames>();
  for (const { key, path } of existing) {
    const stems = splitPath(key.kind, path);
    getNamedSegments(key).forEach(({ folderId, names }, index) => {
      const { fixed } = getFolder(folders, folderId);
      const namesId = JSON.stringify(names);
      if (!fixed.has(namesId)) {
        fixed.set(namesId, stems[index] ?? '');
      }
    });
  }
  const existingPaths = new Map(existing.map(({ key, path }) => [formatItemKey(key), path]));
  const newKeys = [...keys].filter((key) => !existingPaths.has(formatItemKey(key)));
  for (const key of newKeys) {
    for (const { folderId, names } of getNamedSegments(key)) {
      const { fixed, free } = getFolder(folders, folderId);
      const namesId = JSON.stringify(names);
      if (!fixed.has(namesId)) {
        free.set(namesId, names);
      }
    }
  }
  const stemsByFolder = new Map(
    [...folders].map(([folderId, { fixed, free }]) => {
      const occupied = new Set([...fixed.values()].map(foldPath));
      return [folderId, new Map([...fixed, ...assignStems(free, occupied)])];
    }),
  );
  const newPaths = newKeys.map((key): readonly [string, string] => {
    const stems = getNamedSegments(key).map(
      ({ folderId, names }) => stemsByFolder.get(folderId)?.get(JSON.stringify(names)) ?? '',
    );
    return [formatItemKey(key), joinPath(key.kind, stems)];
  });
  return new Map([...existingPaths, ...newPaths]);
}

function getFolder(folders: Map<string, FolderNames>, folderId: string): FolderNames {
  const existing = folders.get(folderId);
  if (existing !== undefined) {
    return existing;
  }
  const created: FolderNames = { fixed: new Map(), free: new Map() };
  folders.set(folderId, created);
  return created;
}

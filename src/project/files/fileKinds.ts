import { findClosestNames } from '../../base/similarNames.ts';
import type { ItemKind } from '../item.ts';
import { itemFolders, itemSuffixes, projectFolders } from '../paths.ts';
import type { JsonItemKind } from './itemFile.ts';

/** What a file is: the JSON of an item, or SQL that a table refers to. */
export type FileKind = JsonItemKind | 'sql';

const { datamodels, datasets, tables, relations, rules, viewpoints, cubeSets, customData } = projectFolders;

const tableKinds = ['table', 'tableExpression', 'columnExpression'] as const;

/** The kinds of items that belong to a datamodel. */
export const datamodelItemKinds: readonly ItemKind[] = [
  'datamodel',
  'dataset',
  ...tableKinds,
  'relation',
  'rules',
];

/** The kinds of items in the folders of a datamodel. */
const kindsByInnerFolder: ReadonlyMap<string, readonly ItemKind[]> = new Map<string, readonly ItemKind[]>([
  [datasets, ['dataset']],
  [tables, tableKinds],
  [relations, ['relation']],
  [rules, ['rules']],
]);

/** The folders in the path of each kind of file; `*` stands for a folder with any name. */
const fileFolders: Readonly<Record<JsonItemKind, readonly string[]>> = {
  datamodel: [datamodels, '*'],
  dataset: [datamodels, '*', datasets],
  table: [datamodels, '*', tables],
  relation: [datamodels, '*', relations],
  rules: [datamodels, '*', rules],
  viewpoint: [viewpoints],
  cubeSetRules: [cubeSets, '*', rules],
  customData: [customData],
};

/** Returns the kind of a file by its name; `undefined` if it doesn't belong to a project. */
export function getFileKind(path: string): FileKind | undefined {
  const folded = path.toLowerCase();
  if (folded.endsWith(itemSuffixes.rules)) {
    return path.startsWith(`${cubeSets}/`) ? 'cubeSetRules' : 'rules';
  }
  if (folded.endsWith(itemSuffixes.tableExpression)) {
    return 'sql';
  }
  return (Object.keys(fileFolders) as JsonItemKind[]).find((kind) => folded.endsWith(itemSuffixes[kind]));
}

/** A file in a folder of a project that isn't one of its files. */
export interface StrayFile {
  /** Whether it was probably meant to be a file of the project: then its item must not be treated as deleted. */
  readonly isMisnamed: boolean;
  /** The ending that its name probably should have, such as `.table.json`. */
  readonly suffix: string | undefined;
}

/**
 * Finds out whether a file that isn't part of the project was probably meant to be: JSON has no other purpose in these
 * folders, and neither has SQL whose name ends like that of the project's SQL files. Returns `undefined` for files of
 * the project, and for unrelated files such as `README.md`.
 */
export function findStrayFile(path: string): StrayFile | undefined {
  if (getFileKind(path) !== undefined) {
    return undefined;
  }
  const { word, extension } = splitFileName(path.slice(path.lastIndexOf('/') + 1));
  if (sqlExtension.test(extension)) {
    const [closest] = findClosestNames(word, sqlSuffixWords);
    return {
      isMisnamed: closest !== undefined,
      suffix: closest === undefined ? undefined : `.${closest}.sql`,
    };
  }
  if (jsonSuffixWords.includes(extension)) {
    return { isMisnamed: true, suffix: `.${extension}.json` };
  }
  if (!jsonExtension.test(extension) && findClosestNames(extension, ['json']).length === 0) {
    return undefined;
  }
  const [closest] = findClosestNames(word, jsonSuffixWords);
  return {
    isMisnamed: true,
    suffix: closest === undefined ? getFolderSuffix(path) : `.${closest}.json`,
  };
}

const jsonExtension = /^(?:json|json5|jsonc)$/i;
const sqlExtension = /^sql$/i;

/** Matches the name of a JSON or SQL file, also that of a backup such as `Orders.table.json.orig`. */
const knownExtension = /^(?<name>.*\.(?:json5|jsonc|json|sql))(?![a-z\d])[^/]*$/i;

/** Returns the extension of a file, and the word before it. */
function splitFileName(fileName: string): { readonly word: string; readonly extension: string } {
  const words = (knownExtension.exec(fileName)?.groups?.['name'] ?? fileName).split('.');
  return { word: words.at(-2) ?? '', extension: (words.length > 1 ? words.at(-1) : undefined) ?? '' };
}

/**
 * Returns the path of the original of a backup such as `Orders.table.json.orig`; `undefined` if the file doesn't have
 * the name of a backup.
 */
export function getOriginalPath(path: string): string | undefined {
  const original = knownExtension.exec(path)?.groups?.['name'];
  return original === path ? undefined : original;
}

/** Returns the ending of the JSON files in the folder of a file; `undefined` if it isn't a folder for items. */
const getFolderSuffix = (path: string): string | undefined =>
  (Object.keys(fileFolders) as JsonItemKind[])
    .filter((kind) => isInExpectedFolder(kind, path))
    .map((kind) => itemSuffixes[kind])[0];

/**
 * Returns the folder of a project that a folder at its root was probably meant to be, such as `viewpoints`; `undefined`
 * if its name is right or similar to none.
 */
export function findIntendedFolder(name: string): string | undefined {
  const [closest] = itemFolders.includes(name) ? [] : findClosestNames(name, itemFolders);
  return closest;
}

const getSuffixWords = (extension: string): readonly string[] => [
  ...new Set(
    Object.values(itemSuffixes)
      .filter((suffix) => suffix.endsWith(extension))
      .map((suffix) => suffix.slice(1, -extension.length)),
  ),
];
const jsonSuffixWords = getSuffixWords('.json');
const sqlSuffixWords = getSuffixWords('.sql');

/** Returns whether a file is in a folder for its kind. SQL may be anywhere: its table refers to it by path. */
export function isInExpectedFolder(kind: FileKind, path: string): boolean {
  if (kind === 'sql') {
    return true;
  }
  const folders = path.split('/').slice(0, -1);
  const expected = fileFolders[kind];
  return (
    folders.length === expected.length &&
    expected.every((folder, index) => folder === '*' || folder === folders[index])
  );
}

/** Describes where files of a kind belong. */
export const describeExpectedFolder = (kind: JsonItemKind): string =>
  fileFolders[kind].join('/').replaceAll('*', 'NAME');

/** Returns the folder of the datamodel that a file or folder is in; `undefined` if it's in none. */
export function getDatamodelFolder(path: string): string | undefined {
  const [root, folder] = path.split('/');
  return root === datamodels && folder !== undefined ? `${root}/${folder}` : undefined;
}

/** Returns the kinds of the items that a file or folder may contain. */
export function getPossibleKinds(path: string): readonly ItemKind[] {
  const [root = '', , inner] = path.split('/');
  const kind = getFileKind(path);
  if (kind !== undefined) {
    return kind === 'sql' || kind === 'table'
      ? tableKinds
      : kind === 'datamodel'
        ? datamodelItemKinds
        : [kind];
  }
  switch (findIntendedFolder(root) ?? root) {
    case datamodels:
      return kindsByInnerFolder.get(inner ?? '') ?? datamodelItemKinds;
    case viewpoints:
      return ['viewpoint'];
    case cubeSets:
      return ['cubeSetRules'];
    case customData:
      return ['customData'];
    default:
      return [...datamodelItemKinds, 'viewpoint', 'cubeSetRules', 'customData'];
  }
}

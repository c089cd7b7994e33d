import { findClosestNames } from '../../base/similarNames.ts';
import type { ItemKind } from '../item.ts';
import { itemSuffixes, projectFolders } from '../paths.ts';
import type { JsonItemKind } from './itemFile.ts';

/** What a file is: the JSON of an item, or SQL that a table refers to. */
export type FileKind = JsonItemKind | 'sql';

const { datamodels, datasets, tables, relations, rules, viewpoints, cubeSets, customData } = projectFolders;

const tableKinds = ['table', 'tableExpression', 'columnExpression'] as const;

/** The kinds of items that belong to a datamodel. */
export const datamodelKinds: readonly ItemKind[] = [
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

/**
 * Returns the ending that the name of a file probably should have, such as `.table.json` for `Orders.tabel.json`: the
 * file would be ignored otherwise, and its item taken for deleted. `undefined` for files of a project, and for files
 * that have nothing to do with it.
 */
export function findIntendedSuffix(path: string): string | undefined {
  const [, word, extension] = /\.([^./]+)\.(json|json5|jsonc|sql)$/i.exec(path) ?? [];
  if (word === undefined || extension === undefined || getFileKind(path) !== undefined) {
    return undefined;
  }
  const isSql = extension.toLowerCase() === 'sql';
  const words = isSql ? sqlSuffixWords : jsonSuffixWords;
  // `.rule.json` is the ending of a single rule that was opened from a server.
  const [closest] = word.toLowerCase() === 'rule' ? [] : findClosestNames(word, words);
  return closest === undefined ? undefined : `.${closest}.${isSql ? 'sql' : 'json'}`;
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

/** Returns the folder of the datamodel that a file or folder is in. */
export function getDatamodelFolder(path: string): string | undefined {
  const [root, folder] = path.split('/');
  return root === datamodels && folder !== undefined ? `${root}/${folder}` : undefined;
}

/** Returns the kinds of the items that a file or folder may contain. */
export function getPossibleKinds(path: string): readonly ItemKind[] {
  const [root = '', , inner] = path.split('/');
  const kind = getFileKind(path);
  if (kind !== undefined) {
    return kind === 'sql' || kind === 'table' ? tableKinds : kind === 'datamodel' ? datamodelKinds : [kind];
  }
  switch (root) {
    case datamodels:
      return kindsByInnerFolder.get(inner ?? '') ?? datamodelKinds;
    case viewpoints:
      return ['viewpoint'];
    case cubeSets:
      return ['cubeSetRules'];
    case customData:
      return ['customData'];
    default:
      return [...datamodelKinds, 'viewpoint', 'cubeSetRules', 'customData'];
  }
}

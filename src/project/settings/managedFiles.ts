import { findClosestNames } from '../../base/similarNames.ts';
import { getDatamodelFolder } from '../files/fileKinds.ts';
import type { FileItem } from '../files/project.ts';
import type { ItemKey } from '../item.ts';
import { projectFolders } from '../paths.ts';
import { type Selection, createNameMatcher, getOnlyName, isSelected } from '../source/selection.ts';

/** The members of "manage", which list what a project manages. */
export type ManagedKind = 'datamodels' | 'viewpoints' | 'cubeSets' | 'customData';

/** Files of a project that "manage" excludes: they are neither pulled nor applied. */
export interface ExcludedFiles {
  readonly kind: ManagedKind;
  /** The folder of the datamodel or the cube set, or that of all viewpoints or all custom data objects. */
  readonly folder: string;
  /** What is in the files, sorted by key. */
  readonly items: readonly FileItem[];
}

/** Returns the name by which "manage" lists an item, or what it belongs to. */
export function getManagedName(key: ItemKey): { readonly kind: ManagedKind; readonly name: string } {
  switch (key.kind) {
    case 'viewpoint':
      return { kind: 'viewpoints', name: key.viewpoint };
    case 'cubeSetRules':
      return { kind: 'cubeSets', name: key.cubeSet };
    case 'customData':
      return { kind: 'customData', name: key.name };
    case 'datamodel':
    case 'dataset':
    case 'table':
    case 'tableExpression':
    case 'columnExpression':
    case 'relation':
    case 'rules':
      return { kind: 'datamodels', name: key.datamodel };
  }
}

/** Finds the files that a project has, but doesn't manage. */
export function findExcludedFiles(
  items: readonly FileItem[],
  selection: Selection,
): readonly ExcludedFiles[] {
  const excluded = items.filter(({ key }) => !isSelected(selection, key));
  return [...Map.groupBy(excluded, getManagedFolder)].flatMap(([folder, group]) =>
    group[0] === undefined ? [] : [{ kind: getManagedName(group[0].key).kind, folder, items: group }],
  );
}

function getManagedFolder({ key, path }: FileItem): string {
  switch (getManagedName(key).kind) {
    case 'datamodels':
      return getDatamodelFolder(path) ?? projectFolders.datamodels;
    case 'viewpoints':
      return projectFolders.viewpoints;
    case 'cubeSets':
      return path.split('/').slice(0, 2).join('/');
    case 'customData':
      return projectFolders.customData;
  }
}

/**
 * Returns the names that were probably meant by a pattern that matches no name: one that differs only in letter case,
 * or else at most three similar names, the best first.
 */
export function findPatternSuggestions(pattern: string, names: readonly string[]): readonly string[] {
  const matchesAnyCase = createNameMatcher([pattern.toLowerCase()]);
  const sameName = names.find((candidate) => matchesAnyCase(candidate.toLowerCase()));
  const name = getOnlyName(pattern);
  return sameName !== undefined ? [sameName] : name === undefined ? [] : findClosestNames(name, names);
}

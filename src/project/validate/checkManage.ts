import { join } from 'node:path';
import { getMember, isJsonObject } from '../../base/json.ts';
import { type Message, createMessage } from '../../base/localize.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { parseJsonFile } from '../files/jsonFile.ts';
import type { UnknownName } from '../files/misspelledName.ts';
import type { FileItem, FilePosition, Project } from '../files/project.ts';
import { readTextFile } from '../files/readTextFile.ts';
import type { ItemKey } from '../item.ts';
import { projectFileName } from '../projectFileName.ts';
import {
  type ManagedKind,
  findExcludedFiles,
  findPatternSuggestions,
  getManagedName,
} from '../settings/managedFiles.ts';
import { type Selection, createNameMatcher, createNamePattern, getOnlyName } from '../source/selection.ts';
import { FileLocator } from './fileLocator.ts';
import { type Finding, describeMisspelled, toDescription } from './finding.ts';

/** A pattern in "manage" with its position in `datamodel-studio.json`. */
export interface LocatedPattern extends FilePosition {
  readonly kind: ManagedKind;
  /**
   * The text as the settings have it. Names of cube sets and custom data objects aren't patterns, so they are escaped
   * in `pattern` only.
   */
  readonly unknownName: UnknownName;
  readonly pattern: string;
}

/** Reads the patterns in "manage" of settings that are valid. */
export async function readManagePatterns(folder: string): Promise<readonly LocatedPattern[]> {
  const file = await readTextFile(join(folder, projectFileName));
  const parsed = 'text' in file ? parseJsonFile(file.text) : undefined;
  if (!('text' in file) || parsed === undefined || 'fault' in parsed) {
    return [];
  }
  const locator = new FileLocator(file.text);
  const manage = getMember(parsed.value, 'manage');
  const locate = (kind: ManagedKind, text: unknown, index: number | string): readonly LocatedPattern[] => {
    if (typeof text !== 'string') {
      return [];
    }
    const path = ['manage', kind, index];
    // The names of custom data objects are keys.
    const isKey = kind === 'customData';
    return [
      {
        kind,
        unknownName: { name: text, path, ...(isKey ? { isKey } : {}) },
        pattern: kind === 'datamodels' || kind === 'viewpoints' ? text : createNamePattern(text),
        ...(isKey ? locator.locateKey(path) : locator.locatePath(path)),
      },
    ];
  };
  return (['datamodels', 'viewpoints', 'cubeSets', 'customData'] as const).flatMap((kind) => {
    const list = getMember(manage, kind);
    return isJsonArray(list)
      ? list.flatMap((text, index) => locate(kind, text, index))
      : isJsonObject(list)
        ? Object.keys(list).flatMap((name) => locate(kind, name, name))
        : [];
  });
}

/**
 * Finds the patterns in "manage" that match nothing in the project, if the project has files of the same kind that no
 * pattern matches. Without such files, a pattern may be for what was never pulled.
 */
export function findUnmatchedPatterns(
  project: Project,
  {
    selection,
    patterns,
  }: { readonly selection: Selection | undefined; readonly patterns: readonly LocatedPattern[] },
): readonly Finding[] {
  const excluded = selection === undefined ? [] : findExcludedFiles(project.items, selection);
  const kinds = new Set(excluded.map(({ kind }) => kind));
  const suspects = patterns.filter(({ kind }) => kinds.has(kind));
  if (suspects.length === 0) {
    return [];
  }
  const namesByKind = groupNames(project.items);
  const excludedNames = groupNames(excluded.flatMap(({ items }) => items));
  return suspects.flatMap((located) => {
    const { kind, unknownName, pattern, line, column } = located;
    const matches = createNameMatcher([pattern]);
    if (
      [...(namesByKind.get(kind) ?? [])].some(matches) ||
      project.mayBeInUnreadFile(createKey(kind, getOnlyName(pattern)))
    ) {
      return [];
    }
    const meant = findPatternSuggestions(pattern, [...(excludedNames.get(kind) ?? [])]);
    return [
      {
        path: projectFileName,
        line,
        column,
        severity: 'warning',
        code: 'settings/unmatched-pattern',
        ...describePattern(located, meant),
        subject: `${kind}/${unknownName.name}`,
      },
    ];
  });
}

/** Describes a pattern that matches nothing, with the names that were probably meant. */
function describePattern(
  { kind, unknownName, pattern }: LocatedPattern,
  meant: readonly string[],
): ReturnType<typeof describeMisspelled> {
  const isPatternList = kind === 'datamodels' || kind === 'viewpoints';
  const [closest, ...others] = isPatternList ? meant.map(createNamePattern) : meant;
  const description = describeMisspelled(
    describeUnmatched(kind, unknownName.name),
    closest === undefined ? undefined : { ...unknownName, candidates: [closest, ...others] },
  );
  // In place of a pattern for several names, a single name would exclude others.
  const { misspelled: _misspelled, ...descriptionWithoutFix } = description;
  return getOnlyName(pattern) === undefined ? descriptionWithoutFix : description;
}

function describeUnmatched(kind: ManagedKind, text: string): Message {
  switch (kind) {
    case 'datamodels':
      return createMessage('No datamodel in the project matches "{0}".', text);
    case 'viewpoints':
      return createMessage('No viewpoint in the project matches "{0}".', text);
    case 'cubeSets':
      return createMessage('No cube set in the project matches "{0}".', text);
    case 'customData':
      return createMessage('No custom data object in the project matches "{0}".', text);
  }
}

function groupNames(items: readonly FileItem[]): ReadonlyMap<ManagedKind, ReadonlySet<string>> {
  const names = new Map<ManagedKind, Set<string>>();
  for (const { key } of items) {
    const { kind, name } = getManagedName(key);
    names.set(kind, (names.get(kind) ?? new Set()).add(name));
  }
  return names;
}

/** @param name `undefined` stands for any name: then the key has a name that no item has */
function createKey(kind: ManagedKind, name = '\0'): ItemKey {
  switch (kind) {
    case 'datamodels':
      return { kind: 'datamodel', datamodel: name };
    case 'viewpoints':
      return { kind: 'viewpoint', viewpoint: name };
    case 'cubeSets':
      return { kind: 'cubeSetRules', cubeSet: name, table: '\0', column: '\0' };
    case 'customData':
      return { kind: 'customData', name };
  }
}

/**
 * Finds out whether "manage" excludes an item. A datamodel is reported in its own file, and all other excluded files of
 * a folder in the first of them.
 * @param count the number of excluded files that are reported in the file of this item
 */
export function checkExcluded(
  { key, path }: Pick<FileItem, 'key' | 'path'>,
  count: number,
): readonly Finding[] {
  if (count === 0) {
    return [];
  }
  const message = describeExcluded(getManagedName(key), count);
  return [
    {
      path,
      line: 1,
      column: 1,
      severity: 'warning',
      code: 'project/not-managed',
      ...toDescription(message),
      subject: getManagedName(key).name,
    },
  ];
}

function describeExcluded({ kind, name }: ReturnType<typeof getManagedName>, count: number): Message {
  switch (kind) {
    case 'datamodels':
      return createMessage(
        '"manage" in datamodel-studio.json excludes the datamodel "{0}". Its files are neither pulled nor applied.',
        name,
      );
    case 'cubeSets':
      return createMessage(
        '"manage" in datamodel-studio.json excludes the cube set "{0}". Its files are neither pulled nor applied.',
        name,
      );
    case 'viewpoints':
      return count === 1
        ? createMessage(
            '"manage" in datamodel-studio.json excludes this viewpoint. Its file is neither pulled nor applied.',
          )
        : createMessage(
            '"manage" in datamodel-studio.json excludes {0} viewpoints, such as this one. Their files are neither pulled nor applied.',
            count,
          );
    case 'customData':
      return count === 1
        ? createMessage(
            '"manage" in datamodel-studio.json excludes this custom data object. Its file is neither pulled nor applied.',
          )
        : createMessage(
            '"manage" in datamodel-studio.json excludes {0} custom data objects, such as this one. Their files are neither pulled nor applied.',
            count,
          );
  }
}

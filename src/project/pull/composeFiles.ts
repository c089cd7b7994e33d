import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { foldPath } from '../fileNames.ts';
import { composeItemFile, readItemFile } from '../files/itemFile.ts';
import { editJsonFile, formatJsonFile, parseJsonFile } from '../files/jsonFile.ts';
import type { Project } from '../files/project.ts';
import { createSqlReference } from '../files/sqlReference.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import { assignPaths } from '../paths.ts';
import { editSqlFile, formatSqlFile } from '../sqlText.ts';
import { keepRuleOrder } from './keepRuleOrder.ts';
import { type PullEntry, type MergeUnit, getUnitEntries } from './mergeUnits.ts';

/** A file to write. */
export interface FileWrite {
  readonly key: ItemKey;
  readonly path: string;
  readonly text: string;
  /** The text that the file has now; `undefined` if there is no file. */
  readonly previousText: string | undefined;
}

/** A file to delete. */
export interface FileDeletion {
  readonly key: ItemKey;
  readonly path: string;
  readonly previousText: string;
}

/** A unit with the contents that its items get. */
export interface MergeResult {
  readonly unit: MergeUnit;
  readonly contents: ReadonlyMap<PullEntry, JsonValue | undefined>;
}

export type PathsByKey = ReadonlyMap<string, string>;

/** Returns the paths of all existing and new files of units, by the text of the key. */
export function assignUnitPaths(units: readonly MergeResult[], all: readonly MergeUnit[]): PathsByKey {
  // Owners (tables and other single items) come first: the stem of a table comes from the path of its own file, because
  // its SQL files may be anywhere.
  const entries = [...all.map(({ owner }) => owner), ...all.flatMap(({ dependents }) => dependents)];
  const merged = units.flatMap(({ unit, contents }) =>
    getUnitEntries(unit).filter((entry) => contents.get(entry) !== undefined),
  );
  const renamed = findEntriesWithFormerPaths(merged, entries);
  const existing = entries.flatMap((entry) =>
    entry.ours === undefined || renamed.has(entry) ? [] : [{ key: entry.key, path: entry.ours.path }],
  );
  const paths = assignPaths(
    merged.flatMap((entry) => (entry.ours === undefined || renamed.has(entry) ? [entry.key] : [])),
    existing,
  );
  // A new path that differs only in letter case is the same file on some systems, so the file keeps its path.
  const keptPaths = [...renamed].flatMap(({ key, ours }): readonly (readonly [string, string])[] => {
    const text = formatItemKey(key);
    return ours !== undefined && foldPath(paths.get(text) ?? '') === foldPath(ours.path)
      ? [[text, ours.path]]
      : [];
  });
  return keptPaths.length === 0 ? paths : new Map([...paths, ...keptPaths]);
}

/**
 * Finds moved rules whose file still has the former name in its content, and a path that was assigned for that name.
 */
function findEntriesWithFormerPaths(
  merged: readonly PullEntry[],
  all: readonly PullEntry[],
): ReadonlySet<PullEntry> {
  const moved = merged.flatMap((entry) =>
    entry.movedRules !== undefined &&
    entry.ours !== undefined &&
    formatItemKey(entry.ours.key) !== formatItemKey(entry.key)
      ? [{ entry, key: entry.movedRules.from }]
      : [],
  );
  if (moved.length === 0) {
    return new Set();
  }
  const movedEntries = new Set(moved.map(({ entry }) => entry));
  const paths = assignPaths(
    moved.map(({ key }) => key),
    all.flatMap((entry) =>
      entry.ours === undefined || movedEntries.has(entry) ? [] : [{ key: entry.key, path: entry.ours.path }],
    ),
  );
  return new Set(
    moved.flatMap(({ entry, key }) => (paths.get(formatItemKey(key)) === entry.ours?.path ? [entry] : [])),
  );
}

/** Returns the entries whose new path is in use by another file. Paths that differ only in case count as equal. */
export function findEntriesWithTakenPaths(
  { unit, contents }: MergeResult,
  paths: PathsByKey,
  occupied: ReadonlySet<string>,
): readonly PullEntry[] {
  return getUnitEntries(unit).filter((entry) => {
    const path = paths.get(formatItemKey(entry.key)) ?? '';
    return contents.get(entry) !== undefined && entry.ours?.path !== path && occupied.has(foldPath(path));
  });
}

/** Returns whether the JSON files of a unit, once written, could be read again as the same items. */
export const canBeReadBack = ({ unit, contents }: MergeResult): boolean =>
  getUnitEntries(unit).every((entry) => canEntryBeReadBack(entry, contents.get(entry)));

function canEntryBeReadBack({ key, ours }: PullEntry, content: JsonValue | undefined): boolean {
  if (
    content === undefined ||
    content === ours?.content ||
    key.kind === 'tableExpression' ||
    key.kind === 'columnExpression'
  ) {
    return true;
  }
  const value = composeItemFile({ key, content });
  const read = readItemFile(key.kind, value, 'datamodel' in key ? key.datamodel : '');
  // Formatted JSON can always be parsed, unless it's nested too deeply.
  return (
    'item' in read &&
    formatItemKey(read.item.key) === formatItemKey(key) &&
    (!isNestedDeeply(value) || !('fault' in parseJsonFile(formatJsonFile(value))))
  );
}

/** Values that are nested less deeply than this can certainly be parsed. */
const maxSafeDepth = 50;

function isNestedDeeply(value: JsonValue, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  if (depth >= maxSafeDepth) {
    return true;
  }
  const members: readonly JsonValue[] = isJsonArray(value) ? value : Object.values(value);
  return members.some((member) => isNestedDeeply(member, depth + 1));
}

/** Returns the folded paths of all files of a project. */
export const foldPaths = ({ paths }: Project): ReadonlySet<string> => new Set(paths.map(foldPath));

/** Returns the file changes that write the new contents of a unit's items. */
export function composeUnit(
  { unit, contents }: MergeResult,
  paths: PathsByKey,
): { readonly writes: readonly FileWrite[]; readonly deletions: readonly FileDeletion[] } {
  const writes: FileWrite[] = [];
  const deletions: FileDeletion[] = [];
  const getPath = ({ key }: PullEntry): string => paths.get(formatItemKey(key)) ?? '';
  const addDeletion = ({ key, ours }: PullEntry): void => {
    if (ours !== undefined) {
      deletions.push({ key, path: ours.path, previousText: ours.text });
    }
  };
  const addWrite = (entry: PullEntry, text: string): void => {
    const { key, ours } = entry;
    const path = getPath(entry);
    if (ours !== undefined && ours.path !== path) {
      addDeletion(entry);
      writes.push({ key, path, text, previousText: undefined });
    } else if (text !== ours?.text) {
      writes.push({ key, path, text, previousText: ours?.text });
    }
  };
  const addItem = (
    entry: PullEntry,
    content: JsonValue,
    references?: Map<string | undefined, string>,
  ): void => {
    const { key, ours } = entry;
    const compose = (part: JsonValue): JsonValue => composeItemFile({ key, content: part }, references);
    addWrite(
      entry,
      ours === undefined
        ? formatJsonFile(compose(content))
        : getSteps(key, ours.content, content).reduce<string>(
            (text, step) => editJsonFile(text, compose(step)),
            ours.text,
          ),
    );
  };
  for (const entry of unit.dependents) {
    const content = contents.get(entry);
    if (content === undefined) {
      addDeletion(entry);
    } else if (entry.movedRules !== undefined) {
      addItem(entry, content);
    } else if (typeof content === 'string') {
      addWrite(
        entry,
        entry.ours === undefined ? formatSqlFile(content) : editSqlFile(entry.ours.text, content),
      );
    }
  }
  const content = contents.get(unit.owner);
  if (content === undefined || isFileUnchanged(unit, contents)) {
    return { writes, deletions };
  }
  const references = new Map(
    unit.dependents
      .filter((entry) => entry.movedRules === undefined && contents.get(entry) !== undefined)
      .map((entry) => [
        entry.key.kind === 'columnExpression' ? entry.key.column : undefined,
        createSqlReference(getPath(unit.owner), getPath(entry)),
      ]),
  );
  addItem(unit.owner, content, references);
  return { writes, deletions };
}

/**
 * Returns the contents that a file gets one after the other. Rules are deleted first, then changed, and then added: so
 * each comment stays with its rule, whatever happens to the other rules.
 */
function getSteps({ kind }: ItemKey, previous: JsonValue, content: JsonValue): readonly JsonValue[] {
  const isRules = kind === 'rules' || kind === 'cubeSetRules';
  if (!isRules || !isJsonArray(previous) || !isJsonArray(content)) {
    return [content];
  }
  const ordered = keepRuleOrder(content, previous);
  const kept = ordered.filter((rule) => rule.previous !== undefined);
  return [
    kept.map((rule) => rule.previous ?? null),
    kept.map(({ rule }) => rule),
    ordered.map(({ rule }) => rule),
  ];
}

/** Returns whether the file of the owner needs no change: neither in its own content, nor in its references to SQL. */
const isFileUnchanged = ({ owner, dependents }: MergeUnit, contents: MergeResult['contents']): boolean =>
  owner.ours !== undefined &&
  // Only these files have a name that isn't part of the content.
  (owner.key.kind !== 'customData' || formatItemKey(owner.key) === formatItemKey(owner.ours.key)) &&
  jsonEquals(owner.ours.content, contents.get(owner)) &&
  dependents.every((entry) => (entry.ours === undefined) === (contents.get(entry) === undefined));

import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { foldPath } from '../fileNames.ts';
import { composeItemFile, readItemFile } from '../files/itemFile.ts';
import { editJsonFile, formatJsonFile, parseJsonFile } from '../files/jsonFile.ts';
import type { Project } from '../files/project.ts';
import { createReference } from '../files/sqlReference.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import { assignPaths } from '../paths.ts';
import { editSqlFile, formatSqlFile } from '../sqlText.ts';
import { keepRuleOrder } from './keepRuleOrder.ts';
import { type PullEntry, type PullUnit, getEntries } from './pullUnits.ts';

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

/** A unit (a table with its SQL, or any other single item) with the contents that its items will have. */
export interface MergedUnit {
  readonly unit: PullUnit;
  readonly contents: ReadonlyMap<PullEntry, JsonValue | undefined>;
}

export type PathsByKey = ReadonlyMap<string, string>;

/** Returns the paths of all existing and new files of units, by the text of the key. */
export function assignUnitPaths(units: readonly MergedUnit[], all: readonly PullUnit[]): PathsByKey {
  // Owners (tables and other single items) come first: the stem of a table comes from the path of its own file, because
  // its SQL files may be anywhere.
  const entries = [...all.map(({ owner }) => owner), ...all.flatMap(({ expressions }) => expressions)];
  const existing = entries.flatMap(({ key, ours }) => (ours === undefined ? [] : [{ key, path: ours.path }]));
  const newKeys = units.flatMap(({ unit, contents }) =>
    getEntries(unit)
      .filter((entry) => entry.ours === undefined && contents.get(entry) !== undefined)
      .map(({ key }) => key),
  );
  return assignPaths(newKeys, existing);
}

/** Returns the entries whose new path is in use by another file. Paths that differ only in case count as equal. */
export function findEntriesWithTakenPaths(
  { unit, contents }: MergedUnit,
  paths: PathsByKey,
  occupied: ReadonlySet<string>,
): readonly PullEntry[] {
  return getEntries(unit).filter(
    (entry) =>
      entry.ours === undefined &&
      contents.get(entry) !== undefined &&
      occupied.has(foldPath(paths.get(formatItemKey(entry.key)) ?? '')),
  );
}

/** Returns whether the file that is about to be written for the owner could be read again, as one of the same item. */
export function canBeReadBack({ unit: { owner }, contents }: MergedUnit): boolean {
  const { key } = owner;
  const content = contents.get(owner);
  if (
    content === undefined ||
    content === owner.ours?.content ||
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
  { unit, contents }: MergedUnit,
  paths: PathsByKey,
): { readonly writes: readonly FileWrite[]; readonly deletions: readonly FileDeletion[] } {
  const writes: FileWrite[] = [];
  const deletions: FileDeletion[] = [];
  const getPath = ({ key }: PullEntry): string => paths.get(formatItemKey(key)) ?? '';
  const addWrite = (entry: PullEntry, text: string): void => {
    if (text !== entry.ours?.text) {
      writes.push({ key: entry.key, path: getPath(entry), text, previousText: entry.ours?.text });
    }
  };
  for (const entry of unit.expressions) {
    const sql = contents.get(entry);
    if (typeof sql === 'string') {
      addWrite(entry, entry.ours === undefined ? formatSqlFile(sql) : editSqlFile(entry.ours.text, sql));
    } else if (entry.ours !== undefined) {
      deletions.push({ key: entry.key, path: entry.ours.path, previousText: entry.ours.text });
    }
  }
  const content = contents.get(unit.owner);
  if (content === undefined || isFileUnchanged(unit, contents)) {
    return { writes, deletions };
  }
  const references = new Map(
    unit.expressions
      .filter((entry) => contents.get(entry) !== undefined)
      .map((entry) => [
        entry.key.kind === 'columnExpression' ? entry.key.column : undefined,
        createReference(getPath(unit.owner), getPath(entry)),
      ]),
  );
  const { key, ours } = unit.owner;
  const isRules = key.kind === 'rules' || key.kind === 'cubeSetRules';
  const orderedContent = isRules && ours !== undefined ? keepRuleOrder(content, ours.content) : content;
  const value = composeItemFile({ key, content: orderedContent }, references);
  addWrite(unit.owner, ours === undefined ? formatJsonFile(value) : editJsonFile(ours.text, value));
  return { writes, deletions };
}

/** Returns whether the file of the owner needs no change: neither in its own content, nor in its references to SQL. */
const isFileUnchanged = ({ owner, expressions }: PullUnit, contents: MergedUnit['contents']): boolean =>
  owner.ours !== undefined &&
  // Only these files have a name that isn't part of the content.
  (owner.key.kind !== 'customData' || formatItemKey(owner.key) === formatItemKey(owner.ours.key)) &&
  jsonEquals(owner.ours.content, contents.get(owner)) &&
  expressions.every((entry) => (entry.ours === undefined) === (contents.get(entry) === undefined));

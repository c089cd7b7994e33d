import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonValue, getMember } from '../../base/json.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { type ProjectItem, formatItemKey } from '../item.ts';
import type { MergeResult } from './composeFiles.ts';
import type { ProtectionInput } from './gainedColumns.ts';
import { type PullEntry, type MergeUnit, getUnitEntries } from './mergeUnits.ts';
import { type ColumnRename, type PlannedRename, createRenamer } from './renames.ts';
import { createItemRenamer, getViewpointDatamodelTitle } from './renameItems.ts';

/**
 * Creates a function that returns whether a unit would get a reference to a name that the project doesn't have because
 * units are not pulled. To find out, it renames these names to impossible ones, and checks whether that changes items
 * of the unit.
 * @param units the units that are not pulled
 */
export function createMissingNameCheck(
  units: readonly MergeUnit[],
  { project, pulled }: ProtectionInput,
): (merged: MergeResult) => boolean {
  const tables = units.flatMap(({ owner: { ours, theirs, instanceItem: item = theirs } }) =>
    theirs?.key.kind === 'table' && item?.key.kind === 'table' ? [{ key: item.key, ours, theirs }] : [],
  );
  const renames = tables.flatMap(({ key, ours, theirs }): readonly PlannedRename[] =>
    ours?.key.kind === 'table' && theirs.key.kind === 'table' && ours.key.table === theirs.key.table
      ? []
      : [{ from: key, to: { ...key, table: toMissingName(key.table) } }],
  );
  const columnRenames = tables.flatMap(({ key, ours, theirs }): readonly ColumnRename[] => {
    const known = getColumnsByName(ours?.content);
    return [...getColumnsByName(theirs.content).keys()]
      .filter((name) => !known.has(name))
      .map((name) => ({
        datamodel: key.datamodel,
        table: key.table,
        from: name,
        to: toMissingName(name),
      }));
  });
  const titles = findNewDatamodels(units);
  const datasets = new Set(
    units.flatMap(({ owner: { key, ours } }) =>
      key.kind === 'dataset' && ours === undefined ? [formatItemKey(key)] : [],
    ),
  );
  if (renames.length + columnRenames.length + titles.size + datasets.size === 0) {
    return () => false;
  }
  const renameItem = createItemRenamer(createRenamer(renames, columnRenames), pulled, project);
  const isAffected = (item: ProjectItem): boolean => {
    if (item.key.kind === 'viewpoint' && titles.has(getViewpointDatamodelTitle(item.content))) {
      return true;
    }
    const dataset = item.key.kind === 'table' ? getMember(item.content, 'dataset') : undefined;
    if (
      item.key.kind === 'table' &&
      typeof dataset === 'string' &&
      datasets.has(formatItemKey({ kind: 'dataset', datamodel: item.key.datamodel, dataset }))
    ) {
      return true;
    }
    const { key, content } = renameItem(item);
    return formatItemKey(key) !== formatItemKey(item.key) || !jsonEquals(content, item.content);
  };
  return ({ unit, contents }) => {
    const entries = getUnitEntries(unit);
    return (
      entries.some((entry) => isChanged(entry, contents.get(entry))) &&
      entries.some(({ theirs, instanceItem: item = theirs }) => item !== undefined && isAffected(item))
    );
  };
}

/** Finds the datamodels that the project doesn't have. */
export const findNewDatamodels = (units: readonly MergeUnit[]): ReadonlySet<JsonValue | undefined> =>
  new Set(
    units.flatMap(({ owner: { key, ours } }) =>
      key.kind === 'datamodel' && ours === undefined ? [key.datamodel] : [],
    ),
  );

const isChanged = ({ ours }: PullEntry, content: JsonValue | undefined): boolean =>
  ours === undefined || content === undefined
    ? ours?.content !== content
    : !jsonEquals(ours.content, content);

/** Returns a name that no table or column has. */
const toMissingName = (name: string): string => `\0${name}`;

import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import {
  type ViewpointSharing,
  computeViewpointDifferences,
  readSharing,
  updateSharing,
} from '../../security/change/viewpointDifference.ts';
import { asObject, getObjects, omitMembers } from './jsonMembers.ts';

/** The bodies of the requests that update a viewpoint; absent if there is nothing to send. */
export interface ViewpointSteps {
  /** Takes away what the update takes away, before rules, relations, or tables change. */
  readonly beforeDataChanges?: JsonObject;
  /** The rest, after they have changed. */
  readonly afterDataChanges?: JsonObject;
}

/** Returns the details of a viewpoint with the names that its tables and columns get. */
export type RenameDetails = (details: JsonValue) => JsonValue;

/**
 * Splits an update of a viewpoint in an operation that also changes rules or data. Between the two steps, no one sees
 * anything in the viewpoint that they don't see both before and after it: a user who loses the viewpoint, or a column
 * that it loses, must not see data under rules that are looser by then. If what both have in common can't be expressed,
 * for example because a filter changes, the viewpoint isn't published in between: then no one sees it (rest-api.md,
 * "Viewpoint").
 * @param current the viewpoint on the instance
 * @param update the members to replace, in the form of a request
 */
export function splitViewpointUpdate(
  current: JsonObject,
  update: JsonObject,
  renameDetails: RenameDetails,
): ViewpointSteps {
  const before = readSharing(current);
  if (before.isPublished === false) {
    return { afterDataChanges: update };
  }
  const after = updateSharing(before, update);
  const first =
    after.isPublished === false
      ? pickSharing(update)
      : narrowPublished(current, update, { before, after, renameDetails });
  if (first === undefined) {
    const hiding = createHiding(current);
    return {
      beforeDataChanges: hiding,
      afterDataChanges: { ...update, ...getPublication(current, update, hiding) },
    };
  }
  if (Object.keys(first).length === 0) {
    return { afterDataChanges: update };
  }
  const last = Object.fromEntries(
    Object.entries(update).filter(([name, value]) => !jsonEquals(first[name], value)),
  );
  const { description, ...others } = last;
  return Object.keys(others).length > 0
    ? { beforeDataChanges: first, afterDataChanges: last }
    : { beforeDataChanges: { ...first, ...(description === undefined ? {} : { description }) } };
}

/** Returns the members that say whom a viewpoint is shared with, and whether it's published. */
const pickSharing = (update: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(update).filter(([name]) => name === 'visibility' || name === 'enabled'));

/** The sharing before and after an update. */
interface SharingChange {
  readonly before: ViewpointSharing;
  readonly after: ViewpointSharing;
}

/**
 * Returns the first step if the viewpoint stays published: what the update removes; `undefined` if that can't be
 * expressed.
 */
function narrowPublished(
  current: JsonObject,
  update: JsonObject,
  { renameDetails, ...change }: SharingChange & { readonly renameDetails: RenameDetails },
): JsonObject | undefined {
  const sharing = narrowSharing(current, update, change);
  const details = narrowDetails(current['details'], update['details'], renameDetails);
  return sharing === undefined || details === undefined || hasOtherMembers(current, update)
    ? undefined
    : { ...sharing, ...details };
}

/** Returns whether the update changes members whose meaning isn't documented. */
const hasOtherMembers = (current: JsonObject, update: JsonObject): boolean =>
  Object.entries(update).some(
    ([name, value]) =>
      !['name', 'description', 'enabled', 'visibility', 'details'].includes(name) &&
      !isServerManagedField(name) &&
      !jsonEquals(current[name] ?? null, value),
  );

/**
 * Returns whether the sharing of a viewpoint can be sent: with only apps, or only users and groups, it can't
 * (rest-api.md, "Limits").
 */
export function hasCompleteSharing({ visibility = null }: JsonObject): boolean {
  const { apps, parties } = readSharing({ visibility });
  return apps.length > 0 === parties.length > 0;
}

/** Returns the members that hide a viewpoint from everyone. */
function createHiding({ visibility = null }: JsonObject): JsonObject {
  return {
    enabled: false,
    ...(isJsonObject(visibility) && hasCompleteSharing({ visibility })
      ? { visibility: { ...visibility, enabled: false } }
      : {}),
  };
}

/**
 * Returns the members that publish a hidden viewpoint again: each state that hiding it has changed, even if the update
 * doesn't contain it. A server may keep the state of the viewpoint and that of its visibility apart.
 */
function getPublication(current: JsonObject, update: JsonObject, hiding: JsonObject): JsonObject {
  const enabled = findState(update['enabled'], current['enabled']);
  const { visibility = current['visibility'] } = update;
  const visibilityState = findState(
    asObject(visibility)['enabled'],
    asObject(current['visibility'])['enabled'],
    enabled,
  );
  return {
    enabled,
    ...(hiding['visibility'] !== undefined && isJsonObject(visibility)
      ? { visibility: { ...visibility, enabled: visibilityState } }
      : {}),
  };
}

/** Returns the first boolean; true without one, since only published viewpoints are hidden. */
const findState = (...states: readonly (JsonValue | undefined)[]): boolean =>
  states.find((state) => typeof state === 'boolean') ?? true;

/**
 * Returns the members that restrict the sharing to what it is both before and after the update, none if it loses
 * nothing; `undefined` if that can't be expressed.
 */
function narrowSharing(
  current: JsonObject,
  update: JsonObject,
  { before, after }: SharingChange,
): JsonObject | undefined {
  const { visibility } = update;
  const currentVisibility = asObject(current['visibility']);
  if (visibility !== undefined && !jsonEquals(omitSharing(currentVisibility), omitSharing(visibility))) {
    return undefined;
  }
  const effects = new Set(computeViewpointDifferences(before, after).map(({ effect }) => effect));
  if (!effects.has('loses') && !effects.has('changes')) {
    return {};
  }
  return effects.size === 1 && effects.has('loses')
    ? pickSharing(update)
    : intersectSharing(currentVisibility, asObject(visibility));
}

function intersectSharing(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const visibility = {
    ...before,
    ...Object.fromEntries(
      ['apps', 'groups', 'users'].map((name) => {
        const kept = readItems(after[name]);
        return [name, readItems(before[name]).filter((item) => kept.includes(item))];
      }),
    ),
  };
  const { apps, parties } = readSharing({ visibility });
  return apps.length === 0 || parties.length === 0 ? undefined : { visibility };
}

const readItems = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];

/** Returns the members of a visibility that don't say whom a viewpoint is shared with, or whether it's published. */
export const omitSharing = (visibility: JsonValue): JsonObject =>
  withoutNulls(omitMembers(asObject(visibility), 'apps', 'enabled', 'groups', 'users'));

/**
 * Returns the details without the columns that the update removes, under the current names; an empty object if it
 * removes nothing; `undefined` if what both have in common is unclear.
 */
function narrowDetails(
  current: JsonValue | undefined,
  wanted: JsonValue | undefined,
  renameDetails: RenameDetails,
): { readonly details?: JsonObject } | undefined {
  if (wanted === undefined || !isJsonObject(current)) {
    return {};
  }
  const renamed = asObject(renameDetails(current));
  if (!isJsonObject(wanted) || !jsonEquals(omitColumns(renamed), omitColumns(wanted), isServerManagedField)) {
    return undefined;
  }
  const currentColumns = getObjects(current['columns']);
  const addedColumns = [...getObjects(wanted['columns'])];
  const kept: JsonObject[] = [];
  for (const [index, column] of getObjects(renamed['columns']).entries()) {
    const position = addedColumns.findIndex((other) => jsonEquals(getShownData(other), getShownData(column)));
    if (position !== -1) {
      addedColumns.splice(position, 1);
      kept.push(currentColumns[index] ?? {});
    } else if (isFilter(column)) {
      return undefined;
    }
  }
  if (addedColumns.some(isFilter) || (kept.length === 0 && currentColumns.length > 0)) {
    return undefined;
  }
  if (kept.length === currentColumns.length) {
    return {};
  }
  const isFinal = addedColumns.length === 0 && jsonEquals(renamed, current);
  return { details: isFinal ? wanted : { ...current, columns: kept } };
}

/**
 * Returns whether a viewpoint may show more with other details. It does unless they only remove columns that don't
 * filter.
 */
export const mayShowMoreDetails = (current: JsonValue | undefined, wanted: JsonValue | undefined): boolean =>
  !jsonEquals(current ?? null, wanted ?? null) &&
  narrowDetails(current, wanted, (details) => details)?.details !== wanted;

/** Returns a column of a viewpoint without what only changes how its values look. */
const getShownData = (column: JsonObject): JsonObject => withoutNulls(omitMembers(column, 'title', 'format'));

/** Returns whether a column of a viewpoint restricts the rows, so that a viewpoint without it may show more. */
const isFilter = ({ filter = null, filterOnly }: JsonObject): boolean =>
  filterOnly === true || (filter !== null && !jsonEquals(filter, {}));

const omitColumns = (details: JsonObject): JsonObject => withoutNulls(omitMembers(details, 'columns'));

const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

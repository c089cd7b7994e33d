import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import type { Localize } from '../../base/localize.ts';
import { getText } from '../../changes/model/jsonMembers.ts';
import { readSharing, updateSharing } from '../../security/change/viewpointDifference.ts';
import type { PartyRef } from '../../security/readRules.ts';
import { createDeferralCheck, getStillHidden } from '../apply/deferredItems.ts';
import { createShownDataCheck, getMembersAfter, withPartyTexts } from '../apply/viewpointDeferral.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import { indexItemsByProjectKey } from '../plan/compareProject.ts';
import type { ComparedProject } from './itemsAfterApply.ts';
import { type TableKey, type TableRestrictions, createRestrictionReader } from './tableRestrictions.ts';

/** A table or column that becomes visible, with what restricts who sees its rows. */
export interface NewlyVisiblePart extends TableRestrictions {
  readonly key: TableKey;
  /** Set if it is a column: those who see rows of its table see its values in these rows. */
  readonly column?: string;
  /** Whether it is created, or was hidden before. */
  readonly reason: 'new' | 'unhidden';
}

/** A viewpoint that is shared already, and may show more with other details. */
export interface ChangedViewpoint {
  readonly key: Extract<ItemKey, { kind: 'viewpoint' }>;
  /** The users and groups that it is shared with after the apply; empty if it is only shared with apps. */
  readonly parties: readonly PartyRef[];
}

/** What becomes visible although no rule and no share changes. */
export interface NewlyVisibleItems {
  readonly newTables: readonly NewlyVisiblePart[];
  /** New columns of existing tables, and tables and columns that are no longer hidden. */
  readonly inExistingTables: readonly NewlyVisiblePart[];
  readonly viewpoints: readonly ChangedViewpoint[];
}

export const nothingVisible: NewlyVisibleItems = { newTables: [], inExistingTables: [], viewpoints: [] };

/**
 * Returns what an apply makes visible that no one could see before, so that no comparison of access contains it. Hidden
 * tables can't be queried directly (rest-api.md, "Table"), and what stays hidden doesn't count. The columns that SQL
 * generates count if the files list them, although only a build creates them.
 */
export function findNewlyVisible(plan: ComparedProject, t: Localize): NewlyVisibleItems {
  const { changes } = plan.prepared.comparison;
  const newTables = changes.flatMap(({ action, key }) =>
    action === 'create' && key.kind === 'table' ? [{ key, reason: 'new' as const }] : [],
  );
  const inExistingTables = [...listVisibleParts(plan), ...listGeneratedColumns(plan)];
  const viewpoints = listChangedViewpoints(plan);
  if (newTables.length + inExistingTables.length === 0) {
    return { ...nothingVisible, viewpoints };
  }
  const readRestrictions = createRestrictionReader(plan, t);
  const describe = (part: VisiblePart): NewlyVisiblePart => ({ ...part, ...readRestrictions(part.key) });
  return {
    newTables: newTables.map(describe),
    inExistingTables: inExistingTables.map(describe),
    viewpoints,
  };
}

type VisiblePart = Pick<NewlyVisiblePart, 'key' | 'column' | 'reason'>;

const isHidden = (content: JsonValue | undefined): boolean => getMember(content, 'hidden') === true;

/**
 * Returns the table if it is no longer hidden; otherwise, the columns that are added to it, or no longer hidden. What a
 * later apply has to show is left out.
 */
function listVisibleParts({
  prepared: { comparison, compiled, pulled },
}: ComparedProject): readonly VisiblePart[] {
  const items = indexItemsByProjectKey(pulled.items, comparison.renamer);
  const stillHiddenByTable = getStillHidden(compiled.deferred);
  return comparison.changes.flatMap(({ action, key, parts }): readonly VisiblePart[] => {
    if (action !== 'update' || key.kind !== 'table') {
      return [];
    }
    const wasHidden = isHidden(items.get(formatItemKey(key))?.content);
    const hiddenPart = parts.find(({ pointer }) => pointer === '/hidden');
    const stillHidden = stillHiddenByTable.get(formatItemKey(key));
    const staysHidden =
      stillHidden?.isTable === true || (hiddenPart === undefined ? wasHidden : hiddenPart.after === true);
    return staysHidden
      ? []
      : wasHidden
        ? [{ key, reason: 'unhidden' }]
        : parts
            .filter(({ pointer }) => pointer.startsWith('/columns/'))
            .flatMap(({ before, after }) => toVisibleColumn(key, before, after))
            .filter(({ column = '' }) => stillHidden?.columns.includes(column) !== true);
  });
}

/**
 * Returns the column as a list of one if it becomes visible. Returns an empty list if it doesn't, or if its file
 * doesn't say whether it's hidden.
 */
function toVisibleColumn(
  key: TableKey,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly VisiblePart[] {
  if (!isJsonObject(after) || isHidden(after)) {
    return [];
  }
  const column = getText(after['name']);
  return before === undefined
    ? [{ key, column, reason: 'new' }]
    : isHidden(before) && after['hidden'] !== undefined
      ? [{ key, column, reason: 'unhidden' }]
      : [];
}

/** Returns the columns that the instance doesn't have yet of the tables whose SQL changes. */
function listGeneratedColumns({ project, prepared }: ComparedProject): readonly VisiblePart[] {
  const { changes, notes } = prepared.comparison;
  const isDeferred = createDeferralCheck(prepared);
  const changedSql = new Set(
    changes.flatMap((change) =>
      change.key.kind === 'tableExpression' && !isDeferred(change)
        ? [formatItemKey({ ...change.key, kind: 'table' })]
        : [],
    ),
  );
  const contents = new Map(project.items.map(({ key, content }) => [formatItemKey(key), content]));
  return notes.flatMap(({ code, key, after }) =>
    code === 'generated-column' &&
    key.kind === 'table' &&
    changedSql.has(formatItemKey(key)) &&
    !isHidden(contents.get(formatItemKey(key)))
      ? toVisibleColumn(key, undefined, after)
      : [],
  );
}

/** Returns the viewpoints that stay shared, and may show more. */
function listChangedViewpoints({ prepared }: ComparedProject): readonly ChangedViewpoint[] {
  const { comparison, pulled } = prepared;
  const isDeferred = createDeferralCheck(prepared);
  const mayShowMoreData = createShownDataCheck(comparison.renamer);
  const contents = new Map(pulled.items.map(({ key, content }) => [formatItemKey(key), content]));
  return comparison.changes.flatMap((change): readonly ChangedViewpoint[] => {
    const { action, key, from = key, parts } = change;
    if (
      action !== 'update' ||
      key.kind !== 'viewpoint' ||
      isDeferred(change) ||
      !parts.some(mayShowMoreData)
    ) {
      return [];
    }
    const content = contents.get(formatItemKey(from));
    const before = isJsonObject(content) ? content : {};
    const sharingBefore = readSharing(withReadableParties(before));
    const sharing = updateSharing(sharingBefore, withReadableParties(getMembersAfter(parts)));
    return [sharingBefore, sharing].every(
      ({ isPublished, apps, parties }) => isPublished !== false && apps.length + parties.length > 0,
    )
      ? [{ key, parties: sharing.parties }]
      : [];
  });
}

const withReadableParties = (members: JsonObject): JsonObject =>
  members['visibility'] === undefined
    ? members
    : { ...members, visibility: withPartyTexts(members['visibility']) };

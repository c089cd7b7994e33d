import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { type WrittenDocument, getWrittenDocuments } from '../../changes/journal/writtenDocuments.ts';
import { findUnchangedColumns } from '../../changes/journal/changedColumns.ts';
import { getText } from '../../changes/model/jsonMembers.ts';
import { RequiredRules } from '../../changes/rules/requiredRules.ts';
import { getWriteRuleSubject } from '../../changes/model/ruleSubjects.ts';
import { getSubjectTitle, isSameSubject } from '../../catalog/ruleSubject.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import { findChangedParts } from './changedParts.ts';
import type { ProjectPlan } from './loadProjectPlan.ts';
import { getSeenRuleKeys } from './seenRules.ts';

/** Creates a function that checks whether a change has written an item, or may have written it. */
export function createWrittenCheck(
  entry: HistoryEntry,
  loaded: Pick<ProjectPlan, 'reading'>,
): (key: ItemKey) => boolean {
  const written = getWrittenDocuments(entry, getTitlesById(loaded));
  return (key) => written.some((document) => belongsTo(document, key));
}

/**
 * Creates a function that checks whether an apply has relied on rules: it has created or shown the column that the
 * rules are on. It doesn't matter whether it has written the rules or found them on the instance.
 */
export function createRequiredRuleCheck({
  operation,
  before,
}: Pick<HistoryEntry, 'operation' | 'before'>): (key: ItemKey) => boolean {
  const columns = new Set(
    new RequiredRules(operation.writes, before)
      .getExposedColumns()
      .map(({ subject, table, column }) => JSON.stringify([getSubjectTitle(subject), table, column])),
  );
  return (key) =>
    (key.kind === 'rules' && columns.has(JSON.stringify([key.datamodel, key.table, key.column]))) ||
    (key.kind === 'cubeSetRules' && columns.has(JSON.stringify([key.cubeSet, key.table, key.column])));
}

/** The items of a project that an apply has written, or may have written, by the texts of their keys. */
export interface WrittenItems {
  readonly createdKeys: ReadonlySet<string>;
  /**
   * The pointers of what changed items may have on the instance but not in their files, without these counting as added
   * by others, by the texts of the items' keys (`ItemChange.expectedAdditions`).
   */
  readonly expectedAdditions: ReadonlyMap<string, readonly string[]>;
  /**
   * What others have changed in these items since, as far as it's known: the pointers of the parts, by the texts of the
   * keys. Not needed if the instance was read right after the apply.
   */
  readonly changedParts?: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Returns what an apply has written.
 * @param entry the apply, read after it was finished, rolled back, or abandoned
 */
export function getWrittenItems(
  entry: HistoryEntry,
  loaded: Pick<ProjectPlan, 'reading' | 'project'>,
): WrittenItems {
  // An instance sets nothing in rules by itself, so new ones are compared like those that were changed.
  const created = getWrittenDocuments(entry, getTitlesById(loaded)).filter(
    ({ action, kind }) => action === 'create' && kind !== 'columnRules',
  );
  const createdKeys = new Set(
    loaded.project.items
      .filter(({ key }) => created.some((document) => belongsTo(document, key)))
      .map(({ key }) => formatItemKey(key)),
  );
  return {
    createdKeys,
    expectedAdditions: new Map(
      entry.operation.project?.items?.map(({ key, expectedAdditions = [] }) => [key, expectedAdditions]),
    ),
    changedParts: findChangedParts(entry, loaded.reading.documents, createdKeys),
  };
}

/**
 * Returns the texts of the keys of the rules that an abandoned apply has written, or may have written, and that are
 * still exactly as it has left them. Rules are left out if the lock of this checkout had not seen their state before
 * the apply: otherwise, changes by others would count as seen.
 */
export function getAbandonedRuleKeys(
  entry: HistoryEntry,
  { reading, lock }: Pick<ProjectPlan, 'reading' | 'lock'>,
): ReadonlySet<string> {
  const seenKeys = getSeenRuleKeys(entry.operation.project ?? {}, lock);
  const { datamodels, cubeSets } = reading.documents;
  const subjects = entry.operation.writes
    .map(getWriteRuleSubject)
    .filter((subject) => subject !== undefined)
    .filter((subject, index, all) => all.findIndex((other) => isSameSubject(other, subject)) === index);
  const keys = subjects.flatMap((subject): readonly ItemKey[] => {
    const title = getSubjectTitle(subject);
    const sources = [
      ...datamodels
        .filter(({ document }) => getText(document['title']) === title)
        .map(({ rules }) => ({ rules, owner: { kind: 'rules', datamodel: title } as const })),
      ...cubeSets
        .filter(({ name }) => name === title)
        .map(({ rules }) => ({ rules, owner: { kind: 'cubeSetRules', cubeSet: title } as const })),
    ];
    const [source] = sources;
    // If several have the same name, it's unknown which of them the rules belong to.
    return source === undefined || sources.length > 1
      ? []
      : findUnchangedColumns(entry, subject, source.rules).map((column) => ({ ...source.owner, ...column }));
  });
  return new Set(keys.map((key) => formatItemKey(key)).filter((text) => seenKeys.has(text)));
}

const getTitlesById = ({ reading }: Pick<ProjectPlan, 'reading'>): ReadonlyMap<string, string> =>
  new Map(
    reading.documents.datamodels.map(({ document }) => [
      getText(document['oid']),
      getText(document['title']),
    ]),
  );

/**
 * Returns whether a document may belong to an item; the SQL of a table and of its columns is in the document of the
 * table.
 */
function belongsTo({ kind, name, containerTitle }: WrittenDocument, key: ItemKey): boolean {
  switch (key.kind) {
    case 'datamodel':
      return kind === 'datamodel' && name === key.datamodel;
    case 'dataset':
      return kind === 'dataset' && containerTitle === key.datamodel && name === key.dataset;
    case 'table':
    case 'tableExpression':
    case 'columnExpression':
      return kind === 'table' && containerTitle === key.datamodel && name === key.table;
    case 'relation':
      // The document doesn't contain the names of the columns.
      return kind === 'relation' && containerTitle === key.datamodel;
    case 'rules':
      return (
        kind === 'columnRules' && containerTitle === key.datamodel && name === `${key.table}.${key.column}`
      );
    case 'cubeSetRules':
      return (
        kind === 'columnRules' && containerTitle === key.cubeSet && name === `${key.table}.${key.column}`
      );
    case 'viewpoint':
      return kind === 'viewpoint' && name === key.viewpoint;
    case 'customData':
      // A custom data object doesn't contain the name that the project gives it.
      return kind === 'customDataObject';
  }
}

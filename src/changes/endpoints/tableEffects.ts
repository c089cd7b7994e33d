import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Write } from '../model/operation.ts';
import type { Effects, EffectSources } from '../model/effectSources.ts';
import { getDocumentChanges } from '../model/fieldChanges.ts';
import type { IndexedColumn, ModelIndex } from '../model/modelIndex.ts';
import type { Plan, PlanSubject } from '../model/plan.ts';
import { createColumnSubject, getPlanSubjectName, createTableSubject } from '../model/planSubjects.ts';

/**
 * Returns the effects of a PATCH of a table on its own fields and on each column (rest-api.md, "Datamodel API" 2).
 */
export function getTableEffects(write: Write, sources: EffectSources): Effects {
  const { body, target } = write;
  const before = target === undefined ? undefined : sources.documents.get(target);
  const stored = isJsonObject(before) ? before : {};
  const { columns, ...fields } = isJsonObject(body) ? body : {};
  const ownChanges = getDocumentChanges(stored, fields);
  const subject = getTableSubject(write, stored, sources.oldIndex);
  const changed = ownChanges.length === 0 ? [] : [{ ...subject, fields: ownChanges }];
  return Array.isArray(columns)
    ? addColumnEffects({ created: [], changed, deleted: [] }, write, {
        before: toObjects(stored['columns']),
        after: toObjects(columns),
        oldIndex: sources.oldIndex,
      })
    : { created: [], changed, deleted: [] };
}

function addColumnEffects(
  { changed }: Effects,
  write: Write,
  columns: {
    readonly before: readonly JsonObject[];
    readonly after: readonly JsonObject[];
    readonly oldIndex: ModelIndex | undefined;
  },
): Effects {
  const { before, after, oldIndex } = columns;
  const stored = new Map(before.map((column) => [column['oid'], column]));
  const keptOids = new Set(after.map(({ oid }) => oid));
  const toSubject = (column: JsonObject): PlanSubject => getColumnSubject(write, column, oldIndex);
  const changes = after.flatMap((column): Plan['changed'] => {
    const storedColumn = stored.get(column['oid'] ?? '');
    const fields = storedColumn === undefined ? [] : getDocumentChanges(storedColumn, column);
    return storedColumn === undefined || fields.length === 0 ? [] : [{ ...toSubject(storedColumn), fields }];
  });
  return {
    created: after
      .filter((column) => !stored.has(column['oid'] ?? ''))
      .map((column) => {
        const { resource: _omitted, ...newSubject } = toSubject(column);
        return newSubject;
      }),
    changed: [...changed, ...changes],
    deleted: before.filter(({ oid }) => !keptOids.has(oid ?? '')).map(toSubject),
  };
}

function getTableSubject(
  { target, params }: Write,
  stored: JsonObject,
  oldIndex: ModelIndex | undefined,
): PlanSubject {
  const table = oldIndex?.getTable(params['tableId'] ?? '');
  return table !== undefined && oldIndex !== undefined
    ? createTableSubject(table, oldIndex)
    : {
        kind: 'table',
        name: getPlanSubjectName(stored),
        within: [],
        ...(target === undefined ? {} : { resource: target }),
      };
}

function getColumnSubject(
  { target, params }: Write,
  column: JsonObject,
  oldIndex: ModelIndex | undefined,
): PlanSubject {
  const indexedColumn: IndexedColumn | undefined = oldIndex?.getColumn(
    params['tableId'] ?? '',
    getOid(column),
  );
  if (indexedColumn !== undefined && oldIndex !== undefined) {
    return createColumnSubject(indexedColumn, oldIndex);
  }
  const table = oldIndex?.getTable(params['tableId'] ?? '');
  return {
    kind: 'column',
    name: getPlanSubjectName(column),
    within:
      table !== undefined && oldIndex !== undefined
        ? [...oldIndex.getContainerNames({ table }), table.name]
        : [],
    ...(target === undefined ? {} : { resource: target }),
  };
}

const getOid = ({ oid }: JsonObject): string => (typeof oid === 'string' ? oid : '');

const toObjects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

import type { JsonObject } from '../../base/json.ts';
import type { Write } from '../model/operation.ts';
import type { Effects, EffectSources } from '../model/effectSources.ts';
import { getDocumentChanges } from '../model/fieldChanges.ts';
import type { ModelIndex } from '../model/modelIndex.ts';
import type { Plan, PlanSubject } from '../model/plan.ts';
import { createColumnSubject, findTableSubject, getPlanSubjectName } from '../model/planSubjects.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import { getDocumentBefore } from './effects.ts';

/**
 * Returns the effects of a PATCH of a table on its own fields and on each column (rest-api.md, "Datamodel API" 2).
 */
export function getTableEffects(write: Write, sources: EffectSources): Effects {
  const stored = asObject(getDocumentBefore(write, sources));
  const { columns, ...fields } = asObject(write.body);
  const ownChanges = getDocumentChanges(stored, fields);
  const table = getTableSubject(write, stored, sources.oldIndex);
  const changed = ownChanges.length === 0 ? [] : [{ ...table, fields: ownChanges }];
  return Array.isArray(columns)
    ? addColumnEffects(changed, write, {
        table,
        before: getObjects(stored['columns']),
        after: getObjects(columns),
        oldIndex: sources.oldIndex,
      })
    : { created: [], changed, deleted: [] };
}

function addColumnEffects(
  changed: Effects['changed'],
  write: Write,
  sources: {
    readonly table: PlanSubject;
    readonly before: readonly JsonObject[];
    readonly after: readonly JsonObject[];
    readonly oldIndex: ModelIndex | undefined;
  },
): Effects {
  const { before, after } = sources;
  const stored = new Map(before.map((column) => [column['oid'], column]));
  const keptOids = new Set(after.map(({ oid }) => oid));
  const toSubject = (column: JsonObject): PlanSubject => getColumnSubject(write, column, sources);
  const changes = after.flatMap((column): Plan['changed'] => {
    const storedColumn = stored.get(column['oid'] ?? '');
    if (storedColumn === undefined) {
      return [];
    }
    const fields = getDocumentChanges(storedColumn, column);
    return fields.length === 0 ? [] : [{ ...toSubject(storedColumn), fields }];
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

const getTableSubject = (
  { target, params }: Write,
  stored: JsonObject,
  oldIndex: ModelIndex | undefined,
): PlanSubject =>
  (oldIndex && findTableSubject(oldIndex, params['tableId'] ?? '')) ?? {
    kind: 'table',
    name: getPlanSubjectName(stored),
    within: [],
    ...(target && { resource: target }),
  };

function getColumnSubject(
  { target, params }: Write,
  column: JsonObject,
  { table, oldIndex }: { readonly table: PlanSubject; readonly oldIndex: ModelIndex | undefined },
): PlanSubject {
  const indexedColumn = oldIndex?.getColumn(params['tableId'] ?? '', getText(column['oid']));
  return (
    (oldIndex && indexedColumn && createColumnSubject(indexedColumn, oldIndex)) ?? {
      kind: 'column',
      name: getPlanSubjectName(column),
      within: table.name === '' ? table.within : [...table.within, table.name],
      ...(target && { resource: target }),
    }
  );
}

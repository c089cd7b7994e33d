import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Write } from '../model/operation.ts';
import type { Effects, EffectSources } from '../model/effectSources.ts';
import { getDocumentChanges } from '../model/fieldChanges.ts';
import type { IndexedColumn, ModelIndex } from '../model/modelIndex.ts';
import type { Plan, PlanSubject } from '../model/plan.ts';
import { createColumnSubject, getNameForNew, createTableSubject } from '../model/subjects.ts';

/**
 * Returns the effects of a PATCH of a table on its own fields and on each column (rest-api.md, "Datamodel API" 2).
 */
export function getTableEffects(write: Write, sources: EffectSources): Effects {
  const { body, target } = write;
  const before = target === undefined ? undefined : sources.documents.get(target);
  const stored = isJsonObject(before) ? before : {};
  const { columns, ...sent } = isJsonObject(body) ? body : {};
  const own = getDocumentChanges(stored, sent);
  const subject = getTableSubject(write, stored, sources.now);
  const changed = own.length === 0 ? [] : [{ ...subject, fields: own }];
  return Array.isArray(columns)
    ? addColumnEffects({ created: [], changed, deleted: [] }, write, {
        before: toObjects(stored['columns']),
        after: toObjects(columns),
        now: sources.now,
      })
    : { created: [], changed, deleted: [] };
}

function addColumnEffects(
  { changed }: Effects,
  write: Write,
  columns: {
    readonly before: readonly JsonObject[];
    readonly after: readonly JsonObject[];
    readonly now: ModelIndex | undefined;
  },
): Effects {
  const { before, after, now } = columns;
  const stored = new Map(before.map((column) => [column['oid'], column]));
  const kept = new Set(after.map(({ oid }) => oid));
  const subject = (column: JsonObject): PlanSubject => getColumnSubject(write, column, now);
  const changes = after.flatMap((column): Plan['changed'] => {
    const old = stored.get(column['oid'] ?? '');
    const fields = old === undefined ? [] : getDocumentChanges(old, column);
    return old === undefined || fields.length === 0 ? [] : [{ ...subject(old), fields }];
  });
  return {
    created: after
      .filter((column) => !stored.has(column['oid'] ?? ''))
      .map((column) => {
        const { resource: _none, ...fresh } = subject(column);
        return fresh;
      }),
    changed: [...changed, ...changes],
    deleted: before.filter(({ oid }) => !kept.has(oid ?? '')).map(subject),
  };
}

function getTableSubject(
  { target, params }: Write,
  stored: JsonObject,
  now: ModelIndex | undefined,
): PlanSubject {
  const table = now?.table(params['tableId'] ?? '');
  return table !== undefined && now !== undefined
    ? createTableSubject(table, now)
    : {
        kind: 'table',
        name: getNameForNew(stored),
        within: [],
        ...(target === undefined ? {} : { resource: target }),
      };
}

function getColumnSubject(
  { target, params }: Write,
  column: JsonObject,
  now: ModelIndex | undefined,
): PlanSubject {
  const known: IndexedColumn | undefined = now?.column(params['tableId'] ?? '', getOid(column));
  if (known !== undefined && now !== undefined) {
    return createColumnSubject(known, now);
  }
  const table = now?.table(params['tableId'] ?? '');
  return {
    kind: 'column',
    name: getNameForNew(column),
    within: table !== undefined && now !== undefined ? [...now.getParents({ table }), table.name] : [],
    ...(target === undefined ? {} : { resource: target }),
  };
}

const getOid = ({ oid }: JsonObject): string => (typeof oid === 'string' ? oid : '');

const toObjects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

import { tableUpdate } from '../../model/tableWrites.ts';
import { viewpointUpdate } from '../../model/viewpointWrites.ts';
import { type JsonObject, stringify } from '../../../base/json.ts';
import { getRefKey } from '../../../catalog/resourceRef.ts';
import { type RuleSubject, getRuleSubject } from '../../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../../contract/datamodel.ts';
import { extractRuleSchema } from '../../../contract/rule.ts';
import { viewpointSchema } from '../../../contract/viewpoint.ts';
import { liveRuleReplacement, ruleUpdate } from '../../rules/ruleWrites.ts';
import type { Write } from '../../model/operation.ts';
import { ModelIndex } from '../../model/modelIndex.ts';
import type { PlanSubject, ReferrerKind } from '../../model/plan.ts';
import {
  createColumnSubject,
  createRuleSubject,
  createTableSubject,
  createViewpointSubject,
} from '../../model/subjects.ts';
import { getObjects, getText } from '../../model/readJson.ts';
import type { RenameState } from './renameState.ts';

/** An item that uses an old name and is updated to the new one, unless the user excludes it. */
export interface RenamePart {
  /** Identifies the part within the rename. */
  readonly key: string;
  readonly by: ReferrerKind;
  readonly subject: PlanSubject;
}

/** The writes of a rename, and the parts that the user may exclude. */
export interface RenameWrites {
  /** In the order of their writes: SQL expressions, rules, viewpoints. Includes excluded ones. */
  readonly parts: readonly RenamePart[];
  /** First the renamed tables, then the items that use their names, without the excluded parts. */
  readonly writes: readonly Write[];
}

/**
 * Creates the writes that change the documents from one state to the other: first the tables with renamed items, then
 * SQL expressions, rules and viewpoints (decisions.md, "SQL expressions"). `renamedTableIds` are the IDs of the renamed
 * tables and of the tables with renamed columns, `leftOut` the keys of parts that keep the old name.
 */
export function createRenameWrites(
  before: RenameState,
  after: RenameState,
  { first, leftOut }: { readonly first: ReadonlySet<string>; readonly leftOut: ReadonlySet<string> },
): RenameWrites {
  const index = new ModelIndex(datamodelSchema.parse(before.model));
  const tables = getTableChanges(before, after, index, leftOut);
  const subject = getRuleSubject(index.model);
  const rules = getChangedPairs(before.rules, after.rules).map(([was, is]) =>
    getRuleChange(was, is, subject, index),
  );
  const viewpoints = getChangedPairs(before.viewpoints, after.viewpoints).map(([was, is]) =>
    getViewpointChange(was, is),
  );
  const others = [...rules, ...viewpoints];
  const ordered = [
    ...tables.filter(({ tableId }) => first.has(tableId)),
    ...tables.filter(({ tableId }) => !first.has(tableId)),
  ];
  const writes: Write[] = ordered.flatMap(({ write }) => write ?? []);
  for (const { part, writes: own } of others) {
    if (!leftOut.has(part.key)) {
      writes.push(...shiftOutputs(own, writes.length));
    }
  }
  return { parts: [...ordered.flatMap(({ parts }) => parts), ...others.map(({ part }) => part)], writes };
}

/** Shifts the output references between writes by the number of writes ahead of them. */
const shiftOutputs = (writes: readonly Write[], by: number): readonly Write[] =>
  writes.map((write) =>
    write.made === undefined
      ? write
      : { ...write, made: write.made.map((made) => ({ ...made, write: made.write + by })) },
  );

interface TableChange {
  readonly tableId: string;
  readonly parts: readonly RenamePart[];
  readonly write: Write | undefined;
}

/**
 * Returns one PATCH for each changed table, with its name, its query, and all its columns if one of them changes
 * (rest-api.md, "Datamodel API" 2).
 */
function getTableChanges(
  before: RenameState,
  after: RenameState,
  index: ModelIndex,
  leftOut: ReadonlySet<string>,
): readonly TableChange[] {
  const [olds, news] = [before, after].map(({ model }) => getAllTables(model));
  return (olds ?? []).flatMap((old, position): readonly TableChange[] => {
    const now = news?.[position] ?? old;
    const own = index.table(getText(old['oid']));
    if (own === undefined || stringify(old) === stringify(now)) {
      return [];
    }
    const parts: RenamePart[] = [];
    const keep = (part: RenamePart): boolean => {
      parts.push(part);
      return !leftOut.has(part.key);
    };
    const body: Record<string, JsonObject[string]> = {};
    if (now['name'] !== old['name']) {
      body['name'] = now['name'] ?? null;
    }
    if (
      stringify(now['expression']) !== stringify(old['expression']) &&
      // The query of a table with a renamed column defines that column, so this part can't be excluded.
      (hasRenamedColumn(old, now) || keep(createPart('tableExpression', createTableSubject(own, index))))
    ) {
      body['expression'] = now['expression'] ?? null;
    }
    const columns = getObjects(now['columns']).map((column, at) => {
      const was = getObjects(old['columns'])[at] ?? column;
      const isSame = stringify(was['expression']) === stringify(column['expression']);
      const known = own.columns[at];
      const stays =
        !isSame && known && !keep(createPart('columnExpression', createColumnSubject(known, index)));
      return stays ? { ...column, expression: was['expression'] ?? null } : column;
    });
    if (stringify(columns) !== stringify(getObjects(old['columns']))) {
      body['columns'] = columns;
    }
    return [{ tableId: own.id, parts, write: createPatch(body, own.dataset.oid, index, own.id) }];
  });
}

const hasRenamedColumn = (old: JsonObject, now: JsonObject): boolean =>
  getObjects(now['columns']).some(
    (column, at) => getObjects(old['columns'])[at]?.['name'] !== column['name'],
  );

function createPatch(
  body: JsonObject,
  datasetId: string,
  { model }: ModelIndex,
  tableId: string,
): Write | undefined {
  const ids = { datamodelId: model.oid, datasetId, tableId };
  return Object.keys(body).length === 0 ? undefined : tableUpdate(ids, body);
}

const createPart = (by: ReferrerKind, subject: PlanSubject): RenamePart => ({
  key: subject.resource === undefined ? `${by}/${subject.name}` : `${by}/${getRefKey(subject.resource)}`,
  by,
  subject,
});

function getRuleChange(was: JsonObject, is: JsonObject, subject: RuleSubject, { model }: ModelIndex) {
  const part = createPart('rule', createRuleSubject(extractRuleSchema.parse(was), model));
  const writes = subject.kind === 'live' ? liveRuleReplacement(subject, was, is) : [ruleUpdate(subject, is)];
  return { part, writes };
}

/** Sends `details` as a whole, since complex properties are replaced (rest-api.md, "PUT /infusion/viewpoints"). */
function getViewpointChange(was: JsonObject, is: JsonObject) {
  const read = viewpointSchema.parse(was);
  const write = viewpointUpdate({ viewpointId: read.id }, { details: is['details'] ?? null });
  return { part: createPart('viewpoint', createViewpointSubject(read)), writes: [write] };
}

const getChangedPairs = (
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): readonly (readonly [was: JsonObject, is: JsonObject])[] =>
  before.flatMap((was, position) => {
    const is = after[position] ?? was;
    return stringify(was) === stringify(is) ? [] : [[was, is] as const];
  });

/** Returns all tables in the document of a datamodel. */
export const getAllTables = (model: JsonObject): readonly JsonObject[] =>
  getObjects(model['datasets']).flatMap(({ schema }) =>
    getObjects((schema as JsonObject | undefined)?.['tables']),
  );

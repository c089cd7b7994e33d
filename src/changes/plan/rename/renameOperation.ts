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

/** An item that uses an old name and will use the new one, unless the user leaves it unchanged. */
export interface RenamePart {
  /** Identifies the part. */
  readonly key: string;
  readonly by: ReferrerKind;
  readonly subject: PlanSubject;
}

/** The changes of a rename. */
export interface RenameWrites {
  /** In the order in which they will be sent: expressions, rules, viewpoints. */
  readonly parts: readonly RenamePart[];
  /** The table first, then the items that use its names, without the parts that are left out. */
  readonly writes: readonly Write[];
}

/**
 * Creates the writes that lead from one state of the documents to the other, as one ordered operation: the table whose
 * name or column changes first, then SQL expressions, rules and viewpoints (decisions.md, "SQL expressions").
 * @param first ids of the tables that carry the new names
 * @param leftOut keys of parts that stay on the old name
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

/** Shifts the references between writes, so that they stay correct behind other writes. */
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
 * Returns one PATCH for each table: its name, its own SQL, and all its columns if one of them changes
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
      // The query of the table whose own column is renamed defines that column, so this part can't be left out.
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

/** Complex properties are sent in full (rest-api.md, "PUT /infusion/viewpoints"). */
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

/** Returns all tables of a datamodel's document. */
export const getAllTables = (model: JsonObject): readonly JsonObject[] =>
  getObjects(model['datasets']).flatMap(({ schema }) =>
    getObjects((schema as JsonObject | undefined)?.['tables']),
  );

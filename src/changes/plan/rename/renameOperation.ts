import { createTableUpdateWrite } from '../../model/tableWrites.ts';
import { createViewpointUpdateWrite } from '../../model/viewpointWrites.ts';
import { type JsonObject, stringify } from '../../../base/json.ts';
import { getRefKey } from '../../../catalog/resourceRef.ts';
import type { NamedDatamodel } from '../../../catalog/namedDatamodels.ts';
import { getRuleSubject, isSameSubject, type RuleSubject } from '../../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../../contract/datamodel.ts';
import { extractRuleSchema } from '../../../contract/rule.ts';
import { viewpointSchema } from '../../../contract/viewpoint.ts';
import { createLiveRuleReplacementWrites, createRuleUpdateWrite } from '../../rules/ruleWrites.ts';
import type { Write } from '../../model/operation.ts';
import { shiftOutputRefs } from '../../model/outputRefs.ts';
import { ModelIndex } from '../../model/modelIndex.ts';
import type { PlanSubject, ReferrerKind } from '../../model/plan.ts';
import {
  createColumnSubject,
  createRulePlanSubject,
  createTableSubject,
  createViewpointSubject,
} from '../../model/planSubjects.ts';
import { getObjects, getText } from '../../model/jsonMembers.ts';
import { CatalogNames } from '../../../security/catalogNames.ts';
import type { RenameState } from './renameState.ts';

/** An item that uses an old name and is updated to the new one, unless the user excludes it. */
export interface RenameReference {
  /** Identifies the reference within the rename. */
  readonly key: string;
  readonly referrerKind: ReferrerKind;
  readonly subject: PlanSubject;
  /**
   * For a rule of a cube set: the titles of other datamodels with a column of that name. If they are in the set, the
   * rule protects them only as long as it keeps the name.
   */
  readonly otherDatamodelTitles?: readonly string[];
}

/** The writes of a rename, and the references that the user may exclude. */
export interface RenameWrites {
  /** In the order of their writes: SQL expressions, rules, viewpoints. Includes excluded ones. */
  readonly references: readonly RenameReference[];
  /** First the renamed tables, then the items that use their names, without the excluded ones. */
  readonly writes: readonly Write[];
}

/**
 * Creates the writes that change the documents from one state to the other: first the tables with renamed items, then
 * SQL expressions, rules and viewpoints (decisions.md, "SQL expressions"). `renamedTableIds` are the IDs of the renamed
 * tables and of the tables with renamed columns, `excludedKeys` the keys of references that keep the old name.
 */
export function createRenameWrites(
  before: RenameState,
  after: RenameState,
  {
    renamedTableIds,
    excludedKeys,
  }: { readonly renamedTableIds: ReadonlySet<string>; readonly excludedKeys: ReadonlySet<string> },
): RenameWrites {
  const index = new ModelIndex(datamodelSchema.parse(before.model));
  const tables = getTableChanges(before, after, index, excludedKeys);
  const modelSubject = getRuleSubject(index.model);
  const findNamesakes = createNamesakeLookup(before.otherDatamodels ?? []);
  const rules = before.rules.flatMap(({ subject, rules: oldRules }, position) =>
    getChangedPairs(oldRules, after.rules[position]?.rules ?? oldRules).map(([oldRule, newRule]) => {
      const { reference, writes } = getRuleChange(oldRule, newRule, subject);
      const otherDatamodelTitles = isSameSubject(subject, modelSubject) ? [] : findNamesakes(oldRule);
      return {
        reference: otherDatamodelTitles.length === 0 ? reference : { ...reference, otherDatamodelTitles },
        writes,
      };
    }),
  );
  const viewpoints = getChangedPairs(before.viewpoints, after.viewpoints).map(
    ([oldViewpoint, newViewpoint]) => getViewpointChange(oldViewpoint, newViewpoint),
  );
  const others = [...rules, ...viewpoints];
  const ordered = [
    ...tables.filter(({ tableId }) => renamedTableIds.has(tableId)),
    ...tables.filter(({ tableId }) => !renamedTableIds.has(tableId)),
  ];
  const writes: Write[] = ordered.flatMap(({ write }) => write ?? []);
  for (const { reference, writes: ruleWrites } of others) {
    if (!excludedKeys.has(reference.key)) {
      writes.push(...shiftOutputRefs(ruleWrites, writes.length));
    }
  }
  return {
    references: [
      ...ordered.flatMap(({ references }) => references),
      ...others.map(({ reference }) => reference),
    ],
    writes,
  };
}

interface TableChange {
  readonly tableId: string;
  readonly references: readonly RenameReference[];
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
  excludedKeys: ReadonlySet<string>,
): readonly TableChange[] {
  const [oldTables, newTables] = [before, after].map(({ model }) => getAllTables(model));
  return (oldTables ?? []).flatMap((oldTable, position): readonly TableChange[] => {
    const newTable = newTables?.[position] ?? oldTable;
    const indexedTable = index.getTable(getText(oldTable['oid']));
    if (indexedTable === undefined || stringify(oldTable) === stringify(newTable)) {
      return [];
    }
    const references: RenameReference[] = [];
    /** Adds a reference, and returns whether it is updated, that is, not excluded. */
    const addReference = (reference: RenameReference): boolean => {
      references.push(reference);
      return !excludedKeys.has(reference.key);
    };
    const body: Record<string, JsonObject[string]> = {};
    if (newTable['name'] !== oldTable['name']) {
      body['name'] = newTable['name'] ?? null;
    }
    if (
      stringify(newTable['expression']) !== stringify(oldTable['expression']) &&
      // The query of a table with a renamed column defines that column, so this reference can't be excluded.
      (hasRenamedColumn(oldTable, newTable) ||
        addReference(createReference('tableExpression', createTableSubject(indexedTable, index))))
    ) {
      body['expression'] = newTable['expression'] ?? null;
    }
    const columns = getObjects(newTable['columns']).map((column, position) => {
      const oldColumn = getObjects(oldTable['columns'])[position] ?? column;
      const isSame = stringify(oldColumn['expression']) === stringify(column['expression']);
      const indexedColumn = indexedTable.columns[position];
      const isExcluded =
        !isSame &&
        indexedColumn &&
        !addReference(createReference('columnExpression', createColumnSubject(indexedColumn, index)));
      return isExcluded ? { ...column, expression: oldColumn['expression'] ?? null } : column;
    });
    if (stringify(columns) !== stringify(getObjects(oldTable['columns']))) {
      body['columns'] = columns;
    }
    return [
      {
        tableId: indexedTable.id,
        references,
        write: createPatch(body, indexedTable.dataset.oid, index, indexedTable.id),
      },
    ];
  });
}

const hasRenamedColumn = (oldTable: JsonObject, newTable: JsonObject): boolean =>
  getObjects(newTable['columns']).some(
    (column, position) => getObjects(oldTable['columns'])[position]?.['name'] !== column['name'],
  );

function createPatch(
  body: JsonObject,
  datasetId: string,
  { model }: ModelIndex,
  tableId: string,
): Write | undefined {
  const ids = { datamodelId: model.oid, datasetId, tableId };
  return Object.keys(body).length === 0 ? undefined : createTableUpdateWrite(ids, body);
}

const createReference = (referrerKind: ReferrerKind, subject: PlanSubject): RenameReference => ({
  key:
    subject.resource === undefined
      ? `${referrerKind}/${subject.name}`
      : `${referrerKind}/${getRefKey(subject.resource)}`,
  referrerKind,
  subject,
});

function getRuleChange(oldRule: JsonObject, newRule: JsonObject, subject: RuleSubject) {
  const reference = createReference('rule', createRulePlanSubject(extractRuleSchema.parse(oldRule), subject));
  const writes =
    subject.kind === 'live'
      ? createLiveRuleReplacementWrites(subject, oldRule, newRule)
      : [createRuleUpdateWrite(subject, newRule)];
  return { reference, writes };
}

/** Returns a function that finds the datamodels with the column of a rule, and returns their titles. */
function createNamesakeLookup(
  datamodels: readonly NamedDatamodel[],
): (rule: JsonObject) => readonly string[] {
  const candidates = datamodels.map(({ datamodel, catalog }) => ({
    title: datamodel.title,
    names: new CatalogNames(catalog),
  }));
  return ({ table, column }) =>
    candidates
      .filter(({ names }) => typeof names.find(getText(table), getText(column)) === 'object')
      .map(({ title }) => title);
}

/** Sends `details` as a whole, since complex properties are replaced (rest-api.md, "PUT /infusion/viewpoints"). */
function getViewpointChange(oldViewpoint: JsonObject, newViewpoint: JsonObject) {
  const parsed = viewpointSchema.parse(oldViewpoint);
  const write = createViewpointUpdateWrite(
    { viewpointId: parsed.id },
    { details: newViewpoint['details'] ?? null },
  );
  return { reference: createReference('viewpoint', createViewpointSubject(parsed)), writes: [write] };
}

const getChangedPairs = (
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): readonly (readonly [before: JsonObject, after: JsonObject])[] =>
  before.flatMap((oldItem, index) => {
    const newItem = after[index] ?? oldItem;
    return stringify(oldItem) === stringify(newItem) ? [] : [[oldItem, newItem] as const];
  });

/** Returns all tables in the document of a datamodel. */
export const getAllTables = (model: JsonObject): readonly JsonObject[] =>
  getObjects(model['datasets']).flatMap(({ schema }) =>
    getObjects((schema as JsonObject | undefined)?.['tables']),
  );

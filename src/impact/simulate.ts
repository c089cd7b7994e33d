import type * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../base/json.ts';
import { type RuleSubject, ruleSubjectOf, sameSubject } from '../catalog/ruleSubject.ts';
import { type Datamodel, datamodelSchema } from '../contract/datamodel.ts';
import { datasetSchema } from '../contract/dataset.ts';
import { relationSchema } from '../contract/relation.ts';
import { extractRuleSchema, type Rule } from '../contract/rule.ts';
import { expressionText, type Table, tableSchema } from '../contract/table.ts';
import { type Viewpoint, viewpointSchema } from '../contract/viewpoint.ts';
import type { Write } from '../writes/operation.ts';
import { staysUnder } from './generatedColumns.ts';
import type { Documents, RulesOfSubject, Snapshot } from './snapshot.ts';

/** The instance as it will be after the writes, as far as names and references go. */
export function after(snapshot: Snapshot, writes: readonly Write[]): Snapshot {
  return writes.reduce((state, write, index) => afterWrite(state, write, `new:${index}`), snapshot);
}

/** The snapshot with documents that were read since put in their places. */
export function withDocuments(snapshot: Snapshot, documents: Documents): Snapshot {
  return documents.reduce((state, { ref, document }) => {
    if (ref.kind === 'datamodel') {
      const model = datamodelSchema.safeParse(document).data;
      return model?.datasets && model.relations ? withModel(state, ref.datamodelId, () => model) : state;
    }
    const table = ref.kind === 'table' ? tableSchema.safeParse(document).data : undefined;
    return ref.kind !== 'table' || table === undefined
      ? state
      : withModel(state, ref.datamodelId, (model) =>
          withTables(model, ref.datasetId, (tables) => replaced(tables, table)),
        );
  }, snapshot);
}

function afterWrite(state: Snapshot, write: Write, newId: string): Snapshot {
  const { endpoint, params, body } = write;
  const { datamodelId = '', datasetId = '', tableId = '', relationId = '', viewpointId = '' } = params;
  const sent = isJsonObject(body) ? body : {};
  // What is not named here changes no name and no reference.
  const id: string = endpoint;
  switch (id) {
    case 'datamodels.delete':
      return { ...state, datamodels: state.datamodels.filter(({ oid }) => oid !== datamodelId) };
    case 'datasets.create':
      return withModel(state, datamodelId, (model) => ({
        ...model,
        datasets: [...(model.datasets ?? []), ...parsed(datasetSchema, { ...sent, oid: newId })],
      }));
    case 'datasets.delete':
      return withModel(state, datamodelId, (model) => ({
        ...model,
        datasets: (model.datasets ?? []).filter(({ oid }) => oid !== datasetId),
      }));
    case 'tables.create':
      return withTablesOf(state, params, (tables) => [
        ...tables,
        ...parsed(tableSchema, { ...sent, columns: newColumns(sent, newId), oid: newId }),
      ]);
    case 'tables.update':
      return withTablesOf(state, params, (tables) =>
        tables.map((table) => (table.oid === tableId ? changedTable(table, sent, newId) : table)),
      );
    case 'tables.delete':
      return withTablesOf(state, params, (tables) => tables.filter(({ oid }) => oid !== tableId));
    case 'relations.create':
      return withModel(state, datamodelId, (model) => ({
        ...model,
        relations: [...(model.relations ?? []), ...parsed(relationSchema, { ...sent, oid: newId })],
      }));
    case 'relations.update':
      return withModel(state, datamodelId, (model) => ({
        ...model,
        relations: (model.relations ?? []).map((relation) =>
          relation.oid === relationId
            ? (relationSchema.safeParse({ ...relation, ...sent }).data ?? relation)
            : relation,
        ),
      }));
    case 'relations.delete':
      return withModel(state, datamodelId, (model) => ({
        ...model,
        relations: (model.relations ?? []).filter(({ oid }) => oid !== relationId),
      }));
    case 'viewpoints.update':
      return withViewpoints(state, (viewpoints) =>
        viewpoints.map((viewpoint) =>
          viewpoint.id === viewpointId
            ? (viewpointSchema.safeParse({ ...viewpoint, ...sent }).data ?? viewpoint)
            : viewpoint,
        ),
      );
    case 'viewpoints.delete':
      return withViewpoints(state, (viewpoints) => viewpoints.filter(({ id }) => id !== viewpointId));
    default:
      return id.includes('Rules.')
        ? { ...state, rules: state.rules && afterRules(state.rules, write) }
        : state;
  }
}

function afterRules(all: readonly RulesOfSubject[], write: Write): readonly RulesOfSubject[] {
  const { endpoint, params, body } = write;
  const action = endpoint.slice(endpoint.indexOf('.') + 1);
  return all.map((own) => {
    const { subject, rules } = own;
    switch (action) {
      case 'create':
      case 'createMany':
        return { ...own, rules: [...rules, ...newRules(subject, write)] };
      case 'update':
        return {
          ...own,
          rules: rules.map((rule) => (rule._id === params['ruleId'] ? (ruleOf(body) ?? rule) : rule)),
        };
      case 'delete':
        return { ...own, rules: rules.filter(({ _id }) => !isNamed(_id, write)) };
      default:
        return sameSubject(subject, subjectOf(params))
          ? { ...own, rules: rules.filter((rule) => !isOn(rule, params)) }
          : own;
    }
  });
}

const isNamed = (id: string | null | undefined, { params, batch }: Write): boolean =>
  id === params['ruleId'] || (typeof id === 'string' && batch?.ids?.includes(id) === true);

const isOn = (rule: Rule, { table, column }: Write['params']): boolean =>
  rule.table === table && rule.column === column;

const subjectOf = ({ title, server = '', elasticube = '' }: Write['params']): RuleSubject =>
  title === undefined ? { kind: 'extract', server, elasticube } : { kind: 'live', title };

function newRules(subject: RuleSubject, { endpoint, params, body }: Write): readonly Rule[] {
  const sent = Array.isArray(body) ? (body as readonly JsonValue[]).filter(isJsonObject) : [];
  const own = (rule: JsonObject): boolean =>
    sameSubject(
      subject,
      endpoint === 'extractRules.createMany'
        ? subjectOf({ server: textOf(rule['server']), elasticube: textOf(rule['elasticube']) })
        : subjectOf(params),
    );
  return sent.filter(own).flatMap((rule) => ruleOf(rule) ?? []);
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const ruleOf = (value: unknown): Rule | undefined => extractRuleSchema.safeParse(value).data;

/**
 * `columns` replaces the stored array; a column with an oid is the stored one with what was sent, one without is new
 * (spec, Datamodel rule 2). A query that no longer gives a column takes it away.
 */
function changedTable(table: Table, sent: JsonObject, newId: string): Table {
  const stored = new Map((table.columns ?? []).map((column) => [column.oid, column]));
  const columns = Array.isArray(sent['columns'])
    ? newColumns(sent, newId).map((column) => ({ ...stored.get(textOf(column['oid'])), ...column }))
    : table.columns;
  const stays = staysUnder(expressionText(table.expression), sent['expression']);
  return tableSchema.safeParse({ ...table, ...sent, columns: columns?.filter(stays) }).data ?? table;
}

const newColumns = (sent: JsonObject, newId: string): readonly JsonObject[] =>
  Array.isArray(sent['columns'])
    ? (sent['columns'] as readonly JsonValue[])
        .filter(isJsonObject)
        .map((column, index) => (column['oid'] ? column : { ...column, oid: `${newId}/${index}` }))
    : [];

const withModel = (state: Snapshot, oid: string, change: (model: Datamodel) => Datamodel): Snapshot => ({
  ...state,
  datamodels: state.datamodels.map((model) => (model.oid === oid ? change(model) : model)),
});

const withTablesOf = (
  state: Snapshot,
  { datamodelId = '', datasetId = '' }: Write['params'],
  change: (tables: readonly Table[]) => readonly Table[],
): Snapshot => withModel(state, datamodelId, (model) => withTables(model, datasetId, change));

const withTables = (
  model: Datamodel,
  datasetId: string,
  change: (tables: readonly Table[]) => readonly Table[],
): Datamodel => ({
  ...model,
  datasets: (model.datasets ?? []).map((dataset) =>
    dataset.oid === datasetId
      ? { ...dataset, schema: { ...dataset.schema, tables: [...change(dataset.schema?.tables ?? [])] } }
      : dataset,
  ),
});

const withViewpoints = (
  state: Snapshot,
  change: (viewpoints: readonly Viewpoint[]) => readonly Viewpoint[],
): Snapshot => ({ ...state, viewpoints: state.viewpoints && change(state.viewpoints) });

const replaced = (tables: readonly Table[], table: Table): readonly Table[] =>
  tables.map((known) => (known.oid === table.oid ? table : known));

/** What the payload makes, as far as it can be read; what cannot is the server's to refuse. */
function parsed<T>(schema: z.ZodType<T>, value: unknown): readonly T[] {
  const { data } = schema.safeParse(value);
  return data === undefined ? [] : [data];
}

/** Whether two snapshots differ in a datamodel's names or references at all. */
export const sameModel = (a: Datamodel | undefined, b: Datamodel | undefined): boolean =>
  a === b || stringify(a) === stringify(b);

/** Whose rules concern a datamodel. */
export const rulesOf = (snapshot: Snapshot, model: Datamodel): readonly RulesOfSubject[] => {
  const own = ruleSubjectOf(model);
  return (snapshot.rules ?? []).filter(({ subject, isSet }) =>
    isSet === true ? own.kind === 'extract' : sameSubject(subject, own),
  );
};

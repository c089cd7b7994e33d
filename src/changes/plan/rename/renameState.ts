import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { NamedDatamodel } from '../../../catalog/namedDatamodels.ts';
import { getRuleSubject, type RuleSubject } from '../../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../../contract/datamodel.ts';
import { viewpointSchema } from '../../../contract/viewpoint.ts';
import { getObjects, getText } from '../../model/jsonMembers.ts';
import { findOutputNameRange, renameInExpression, type RenameTarget } from '../../../sql/language.ts';
import { type IndexedExpression, ModelIndex } from '../../model/modelIndex.ts';
import type { Rename } from '../../model/tableRenames.ts';
import { readsFromSubject } from '../viewpointColumns.ts';
import { renameInViewpoint } from '../../../viewpoints/renameInViewpoint.ts';

/** The documents that a rename may affect, before or after it. */
export interface RenameState {
  /** The complete datamodel. */
  readonly model: JsonObject;
  /** The rules of the datamodel, and of the cube sets that it may belong to. */
  readonly rules: readonly { readonly subject: RuleSubject; readonly rules: readonly JsonObject[] }[];
  readonly viewpoints: readonly JsonObject[];
  /** The other extract datamodels, if a rule of a cube set names the table: the set may contain them as well. */
  readonly otherDatamodels?: readonly NamedDatamodel[];
}

/**
 * Returns all documents after a rename: with the new name, and with every reference updated
 * (decisions.md, "SQL expressions").
 */
export function applyRename(state: RenameState, rename: Rename): RenameState {
  const index = new ModelIndex(datamodelSchema.parse(state.model));
  const table = index.getTable(rename.tableId);
  const column = rename.columnId === undefined ? undefined : index.getColumn(rename.tableId, rename.columnId);
  if (table === undefined || (rename.columnId !== undefined && column === undefined)) {
    return state;
  }
  const target: RenameTarget =
    column === undefined ? { table: table.name } : { table: table.name, column: column.name };
  const texts = new Map(
    index
      .getExpressions()
      .map(
        (expression) =>
          [getExpressionKey(expression), renameInText(expression, { index, target, rename })] as const,
      ),
  );
  const subject = getRuleSubject(index.model);
  return {
    ...state,
    model: mapTables(state.model, (table) => renameTable(table, rename, texts)),
    rules: state.rules.map(({ subject: ruleSubject, rules }) => ({
      subject: ruleSubject,
      rules: rules.map((rule) => renameRule(rule, target, rename.newName)),
    })),
    viewpoints: state.viewpoints.map((viewpoint) => {
      const parsed = viewpointSchema.safeParse(viewpoint).data;
      return parsed !== undefined && readsFromSubject(parsed, subject)
        ? renameInViewpoint(viewpoint, [{ target, newName: rename.newName }])
        : viewpoint;
    }),
  };
}

const getExpressionKey = ({ table, column }: IndexedExpression): string =>
  JSON.stringify([table.id, column?.id]);

/** Returns the SQL after a rename. */
function renameInText(
  expression: IndexedExpression,
  options: { readonly index: ModelIndex; readonly target: RenameTarget; readonly rename: Rename },
): string {
  const { index, target, rename } = options;
  const { text, table, column } = expression;
  return renameInExpression(text, index.getContext(expression), {
    target,
    newName: rename.newName,
    isOwnTable: column === undefined && table.id === rename.tableId,
  });
}

/** Returns whether the query of a custom table names the column (no `*`), so that it can be renamed there. */
export function isNamedOutput(index: ModelIndex, { tableId, columnId }: Rename): boolean {
  const column = columnId === undefined ? undefined : index.getColumn(tableId, columnId);
  const expression = index
    .getExpressions()
    .find((candidate) => candidate.table.id === tableId && candidate.column === undefined);
  return (
    expression === undefined ||
    column === undefined ||
    findOutputNameRange(expression.text, column.name, index.getContext(expression)) !== undefined
  );
}

function renameTable(table: JsonObject, rename: Rename, texts: ReadonlyMap<string, string>): JsonObject {
  const tableId = table['oid'] ?? null;
  const isTarget = tableId === rename.tableId;
  const columns = getObjects(table['columns']).map((column) => {
    const id = column['oid'] ?? `name:${getText(column['name']) || getText(column['id'])}`;
    const text = texts.get(JSON.stringify([tableId, id]));
    const updatedColumn = setText(column, text);
    return isTarget && rename.columnId !== undefined && column['oid'] === rename.columnId
      ? { ...updatedColumn, name: rename.newName }
      : updatedColumn;
  });
  const updatedTable = setText(table, texts.get(JSON.stringify([tableId, undefined])));
  return {
    ...updatedTable,
    ...(table['columns'] === undefined ? {} : { columns }),
    ...(isTarget && rename.columnId === undefined ? { name: rename.newName } : {}),
  };
}

/** Sets the SQL of a table or column in the same form: text or `{oid, expression}` (platform-facts.md, 2.2). */
function setText(owner: JsonObject, text: string | undefined): JsonObject {
  const { expression } = owner;
  if (text === undefined || expression === undefined || expression === null) {
    return owner;
  }
  return { ...owner, expression: isJsonObject(expression) ? { ...expression, expression: text } : text };
}

function renameRule(rule: JsonObject, target: RenameTarget, newName: string): JsonObject {
  if (rule['table'] !== target.table || (target.column !== undefined && rule['column'] !== target.column)) {
    return rule;
  }
  return target.column === undefined ? { ...rule, table: newName } : { ...rule, column: newName };
}

/** Returns the datamodel with a function applied to every table. */
export const mapTables = (model: JsonObject, map: (table: JsonObject) => JsonObject): JsonObject => ({
  ...model,
  datasets: getObjects(model['datasets']).map((dataset) => {
    const { schema } = dataset;
    return isJsonObject(schema)
      ? { ...dataset, schema: { ...schema, tables: getObjects(schema['tables']).map(map) } }
      : dataset;
  }),
});

import type { PlatformClient } from '../../../src/api/platformClient.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { type DocumentRef, documentPath } from '../../../src/documents/documentAddress.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import { defined } from '../api/sandboxFixture.ts';

export const connectionId = 'sandbox';

/** The path of a document of the test's connection. */
export const pathOf = (resource: DocumentRef, name = 'a document'): string =>
  documentPath({ connectionId, resource, name, within: [] });

/** Documents of one client, with nothing open in any editor. */
export const documentsOf = (client: PlatformClient): RemoteDocuments =>
  new RemoteDocuments({
    sessions: { get: () => Promise.resolve({ client }) },
    clock: systemClock,
    editor: { isDirty: () => false },
  });

/** A document of every kind, from the demo. */
export async function demoDocuments(
  client: PlatformClient,
): Promise<Readonly<Record<DocumentRef['kind'], DocumentRef>>> {
  const { value: models } = await client.datamodels.list();
  const retail = defined(models.find(({ title }) => title === 'Retail'));
  const { datamodelId } = { datamodelId: retail.oid };
  const { value: model } = await client.datamodels.get({ datamodelId });
  const subject = { kind: 'extract', server: model.server ?? 'LocalHost', elasticube: 'Retail' } as const;
  const { value: rules } = await client.extractRules.list(subject);
  const rule = defined(rules[0]);
  const { value: page } = await client.viewpoints.list({ limit: 1 });
  const { value: objects } = await client.customData.list();
  const base = tableOf(model, (table) => table.type === 'base');
  const custom = tableOf(model, (table) => table.type === 'custom');
  const withColumn = tableOf(model, ({ columns }) => columns?.some(({ isCustom }) => isCustom === true));
  const column = defined(withColumn.table.columns?.find(({ isCustom }) => isCustom === true));
  return {
    datamodel: { kind: 'datamodel', datamodelId },
    dataset: { kind: 'dataset', datamodelId, datasetId: base.datasetId },
    table: { kind: 'table', datamodelId, datasetId: base.datasetId, tableId: base.table.oid },
    tableExpression: {
      kind: 'tableExpression',
      datamodelId,
      datasetId: custom.datasetId,
      tableId: custom.table.oid,
    },
    columnExpression: {
      kind: 'columnExpression',
      datamodelId,
      datasetId: withColumn.datasetId,
      tableId: withColumn.table.oid,
      columnId: defined(column.oid ?? undefined),
    },
    relation: { kind: 'relation', datamodelId, relationId: defined(model.relations?.[0]?.oid) },
    columnRules: { kind: 'columnRules', subject, table: rule.table, column: rule.column },
    rule: { kind: 'rule', subject, ruleId: defined(rule._id ?? undefined) },
    viewpoint: { kind: 'viewpoint', viewpointId: defined(page.viewpoints[0]?.id) },
    customDataObject: { kind: 'customDataObject', objectId: String(objects[0]?.['_id']) },
  };
}

type Tables = NonNullable<NonNullable<NonNullable<Datamodel['datasets']>[number]['schema']>['tables']>;

/** The first table of that sort with the dataset that it is in. */
export function tableOf(
  model: Datamodel,
  matches: (table: Tables[number]) => boolean | undefined,
): { readonly datasetId: string; readonly table: Tables[number] } {
  for (const { oid: datasetId, schema } of model.datasets ?? []) {
    const table = schema?.tables?.find((one) => matches(one) === true);
    if (table !== undefined) {
      return { datasetId, table };
    }
  }
  throw new Error('The demo has no such table');
}

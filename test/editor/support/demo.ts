import assert from 'node:assert/strict';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import type { Rule } from '../../../src/contract/rule.ts';
import type { Table } from '../../../src/contract/table.ts';
import type { JourneySandbox } from './journeySandbox.ts';

/** The path that lists the datamodels, in every profile of the sandbox. */
const datamodelsPath = '/api/v2/datamodels';

/** Returns a datamodel as stored in the sandbox. */
export async function fetchDatamodel(sandbox: JourneySandbox, title: string): Promise<Datamodel> {
  const all = (await sandbox.request('GET', `${datamodelsPath}/schema`)) as readonly Datamodel[];
  const found = all.find((candidate) => candidate.title === title);
  assert.ok(found, `The sandbox has a datamodel ${title}`);
  return found;
}

/** Returns the tables of all datasets of a datamodel. */
export const getDatamodelTables = ({ datasets }: Datamodel): readonly Table[] =>
  (datasets ?? []).flatMap(({ schema }) => schema?.tables ?? []);

/** Returns a table as stored in the sandbox, and the path of its endpoint. */
export async function fetchTable(
  sandbox: JourneySandbox,
  title: string,
  tableName: string,
): Promise<{ readonly table: Table; readonly path: string }> {
  const datamodel = await fetchDatamodel(sandbox, title);
  for (const dataset of datamodel.datasets ?? []) {
    const table = dataset.schema?.tables?.find(({ name }) => name === tableName);
    if (table !== undefined) {
      const path = `${datamodelsPath}/${datamodel.oid}/schema/datasets/${dataset.oid}/tables/${table.oid}`;
      return { table, path };
    }
  }
  throw new Error(`${title} has no table ${tableName}`);
}

/** Changes the expression of a custom table through the API, as a colleague would. */
export async function setCustomTableExpression(
  sandbox: JourneySandbox,
  title: string,
  tableName: string,
  expression: string,
): Promise<void> {
  const { path } = await fetchTable(sandbox, title, tableName);
  await sandbox.request('PATCH', path, { expression });
}

/** The rules of the datamodel Retail. */
export const fetchRetailRules = async (sandbox: JourneySandbox): Promise<readonly Rule[]> =>
  (await sandbox.request('GET', '/api/elasticubes/LocalHost/Retail/datasecurity')) as readonly Rule[];

import type { Datamodel } from '../../../src/contract/datamodel.ts';
import type { TestSandbox } from './sandbox.ts';

/** Gives a custom table of the demo another expression, as a colleague at the API would. */
export async function breakCustomTable(
  sandbox: TestSandbox,
  datamodelTitle: string,
  tableName: string,
  expression: string,
): Promise<void> {
  const datamodels = (await sandbox.request('GET', '/api/v2/datamodels')) as Datamodel[];
  const datamodel = datamodels.find(({ title }) => title === datamodelTitle);
  for (const dataset of datamodel?.datasets ?? []) {
    const table = dataset.schema?.tables?.find(({ name }) => name === tableName);
    if (datamodel !== undefined && table !== undefined) {
      const path = `/api/v2/datamodels/${datamodel.oid}/datasets/${dataset.oid}/tables/${table.oid}`;
      await sandbox.request('PATCH', path, { expression });
      return;
    }
  }
  throw new Error(`The demo has no table ${tableName} in ${datamodelTitle}`);
}

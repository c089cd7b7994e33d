import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { fetchDatamodel } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';

/** Codes of column types (rest-api.md, "Column"). */
const typeCodes = { integer: 8, text: 18, date: 31 } as const;

type Columns = Readonly<Record<string, keyof typeof typeCodes>>;

/**
 * Creates a datamodel for one test, with the dataset Source. No other test uses it.
 * @param custom the SQL of custom tables by their name
 */
export async function createTestDatamodel(
  sandbox: JourneySandbox,
  title: string,
  tables: Readonly<Record<string, Columns>>,
  custom: Readonly<Record<string, string>> = {},
): Promise<Datamodel> {
  const create = async (path: string, body: object): Promise<{ readonly oid: string }> =>
    (await sandbox.request('POST', path, body)) as { readonly oid: string };
  const { oid } = await create('/api/v2/datamodels', { title, type: 'extract' });
  const datasets = `/api/v2/datamodels/${oid}/schema/datasets`;
  const connection = {
    provider: 'CSV',
    parameters: { ApiVersion: '2', files: Object.keys(tables).map(toFileName) },
    supportedModelTypes: ['EXTRACT'],
  };
  const source = await create(datasets, { name: 'Source', type: 'extract', connection });
  for (const [name, columns] of Object.entries(tables)) {
    await create(`${datasets}/${source.oid}/tables`, {
      id: toFileName(name),
      name,
      type: 'base',
      columns: Object.entries(columns).map(([column, type]) => ({
        id: column,
        name: column,
        type: typeCodes[type],
      })),
      buildBehavior: { type: 'sync', accumulativeConfig: null },
    });
  }
  if (Object.keys(custom).length > 0) {
    const dataset = await create(datasets, { name: 'Custom Tables', type: 'custom' });
    for (const [name, expression] of Object.entries(custom)) {
      await create(`${datasets}/${dataset.oid}/tables`, { id: name, name, type: 'custom', expression });
    }
  }
  return fetchDatamodel(sandbox, title);
}

const toFileName = (table: string): string => `${table.toLowerCase()}.csv`;

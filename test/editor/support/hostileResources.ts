import { fetchTable } from './demo.ts';
import { hostileName } from './hostileName.ts';
import type { JourneySandbox } from './journeySandbox.ts';

/** Gives the hostile name to a table of the demo, a datamodel and a viewpoint. */
export async function createHostileResources(sandbox: JourneySandbox): Promise<void> {
  const { path } = await fetchTable(sandbox, 'Retail', 'Returns');
  await sandbox.request('PATCH', path, { name: hostileName, description: hostileName });
  await sandbox.request('POST', '/api/v2/datamodels', { title: hostileName, type: 'extract' });
  await sandbox.request('POST', '/api/v1/infusion/viewpoints', {
    name: hostileName,
    description: hostileName,
    details: {
      datasource: { title: hostileName },
      columns: [
        {
          table: hostileName,
          column: hostileName,
          dim: `[${hostileName}.${hostileName}]`,
          title: hostileName,
        },
      ],
    },
  });
}

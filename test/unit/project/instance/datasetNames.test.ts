import { expect, test } from 'vitest';
import { isJsonObject } from '../../../../src/base/json.ts';
import { maskConnectorDocument } from '../../../../src/base/secrets/maskSecrets.ts';
import { getObjects } from '../../../../src/changes/model/jsonMembers.ts';
import { nameDatasets } from '../../../../src/project/instance/datasetNames.ts';

test('a dataset named after its connection has the same name whether or not the connection is masked', () => {
  const dataset = { connection: { name: 'Sales pwd:Geheim42', provider: 'CSV' } };
  const masked = maskConnectorDocument({ title: 'Retail', datasets: [dataset] });
  const maskedDatasets = isJsonObject(masked) ? getObjects(masked['datasets']) : [];
  const [name] = nameDatasets([dataset]).values();
  expect(name).toMatch(/^Sales pwd:•+$/);
  expect([...nameDatasets(maskedDatasets).values()]).toEqual([name]);
});

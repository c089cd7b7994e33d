import { expect, test } from 'vitest';
import { maskSecrets } from '../../../../src/base/secrets/maskSecrets.ts';
import { isJsonObject } from '../../../../src/base/json.ts';
import { nameDatasets } from '../../../../src/project/instance/datasetNames.ts';
import { getObjects } from '../../../../src/changes/model/readJson.ts';

test('a dataset has the same name whether its connection is masked or not', () => {
  const dataset = {
    name: '5f3c9a2b7d1e4c6f8a9b0c1d',
    connection: { name: 'Sales pwd:Geheim42', provider: 'CSV' },
  };
  const document = { title: 'Retail', datasets: [dataset] };
  const masked = maskSecrets(document);
  const [name = ''] = nameDatasets([dataset]).values();
  expect(name).not.toContain('Geheim42');
  const maskedDatasets = isJsonObject(masked) ? getObjects(masked['datasets']) : [];
  expect([...nameDatasets(maskedDatasets).values()]).toEqual([name]);
});

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createDatasetCreationWrite } from '../../../../src/changes/model/datasetWrites.ts';
import { MissingVariableError } from '../../../../src/project/apply/connections.ts';
import { DatasetConnections } from '../../../../src/project/apply/datasetConnections.ts';

const createWrite = (connection: JsonObject) =>
  createDatasetCreationWrite({ datamodelId: 'm' }, { name: 'Sales', type: 'extract', connection });

const secret = { provider: 'CSV', fileName: 'a.csv', parameters: { Password: { $env: 'SALES_PASSWORD' } } };

describe('the connection of an environment', () => {
  const connections = new DatasetConnections({ Retail: { Sales: secret } });
  const found = connections.find('Retail', 'Sales') ?? {};

  test('names its variables, and gets their values only when it is sent', () => {
    expect(found).toEqual(secret);
    expect(connections.variables).toEqual(['SALES_PASSWORD']);
    const write = createWrite(found);
    expect(write.body).toMatchObject({ connection: secret });
    expect(connections.insertVariables(write, { SALES_PASSWORD: 'hunter2' })).toEqual(
      createWrite({ ...secret, parameters: { Password: 'hunter2' } }),
    );
    expect(() => connections.insertVariables(write, {})).toThrow(MissingVariableError);
  });

  test('is the only one that gets them: the files of a project do not decide which secrets are sent', () => {
    const write = createWrite({ ...secret });
    expect(connections.insertVariables(write, { SALES_PASSWORD: 'hunter2' })).toBe(write);
  });

  test('does not exist for a dataset that is not mapped', () => {
    const others = new DatasetConnections({ Retail: { Sales: secret } });
    expect(others.find('Retail', 'Other')).toBeUndefined();
    expect(others.variables).toEqual([]);
  });
});

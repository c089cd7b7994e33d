import type { JsonObject } from '../../../../src/base/json.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { testPeople } from './randomInstance.ts';
import type { InstanceContent } from './roundTripSupport.ts';

export const viewpointId = 'abcd00000000000000000100';

const createOid = (number: number): string => `abcd0000-5eed-4000-8000-${String(number).padStart(12, '0')}`;

/** Returns the details of a viewpoint on some columns of the table. */
export const createDetails = (...columns: readonly JsonObject[]): JsonObject => ({
  datasource: { title: 'M', fullname: 'LocalHost/M', modelType: 'external' },
  columns: columns.map((column) => ({ table: 'A', dim: `[A.${getText(column['column'])}]`, ...column })),
});

/** Creates an instance with a rule that shows values of a column, and a viewpoint on that column for some users. */
export const createViewpointContent = (
  members: readonly string[],
  users: readonly string[],
  details: JsonObject = createDetails({ column: 'K' }),
): InstanceContent & { readonly datamodels: readonly JsonObject[] } => ({
  ...testPeople,
  liveRules: [],
  datamodels: [
    {
      oid: createOid(1),
      title: 'M',
      type: 'extract',
      server: 'LocalHost',
      datasets: [
        {
          oid: createOid(2),
          name: 'S',
          fullname: 'CSV:S',
          type: 'extract',
          connection: { oid: createOid(3), provider: 'CSV', parameters: { folder: '/data' } },
          schema: {
            tables: [
              {
                oid: createOid(4),
                id: 'a.csv',
                name: 'A',
                type: 'base',
                columns: ['K', 'L'].map((name, index) => ({
                  oid: createOid(10 + index),
                  id: name,
                  name,
                  type: 18,
                })),
              },
            ],
          },
        },
      ],
      relations: [],
    },
  ],
  extractRules: [
    {
      _id: 'abcd00000000000000000000',
      server: 'LocalHost',
      elasticube: 'M',
      table: 'A',
      column: 'K',
      datatype: 'text',
      members,
      allMembers: null,
      exclusionary: false,
      shares: [{ type: 'default' }],
    },
  ],
  viewpoints: [
    {
      id: viewpointId,
      name: 'V',
      description: '',
      enabled: true,
      visibility: { enabled: true, apps: ['chat'], users, groups: [] },
      details,
    },
  ],
});

/** Returns the users of the instance that a viewpoint can be shared with. */
export const testUsers: readonly string[] = testPeople.users.map(({ _id }) => _id);

import fc from 'fast-check';
import { type JsonObject, isJsonObject, parseLossless } from '../../../src/base/json.ts';

const uuid = fc.uuid();
const arbitraryName = fc.string({ minLength: 1, maxLength: 8 }).map((text) => `n ${text}`);

/** A datamodel whose identifiers also appear in members that the product doesn't know. */
export const randomModel: fc.Arbitrary<JsonObject> = fc
  .record({
    ids: fc.uniqueArray(uuid, { minLength: 12, maxLength: 12 }),
    names: fc.uniqueArray(arbitraryName, { minLength: 6, maxLength: 6 }),
    references: fc.array(fc.nat(10), { maxLength: 6 }),
    formInObject: fc.boolean(),
  })
  .map(({ ids, names, references, formInObject }): JsonObject => {
    const getId = (index: number): string => ids[index] ?? '';
    const getName = (index: number): string => names[index] ?? '';
    const sql = 'SELECT 1';
    const createColumns = (first: number) => [
      {
        oid: getId(first),
        id: getName(3),
        name: getName(3),
        type: 8,
        lastUpdated: '2026-01-01T00:00:00.000Z',
      },
      {
        oid: getId(first + 1),
        name: getName(4),
        isCustom: true,
        expression: formInObject ? { oid: getId(11), expression: sql } : sql,
      },
    ];
    return {
      oid: getId(0),
      title: getName(0),
      type: 'extract',
      serverId: getId(10),
      unknown: references.map((index) => ({ reference: getId(index), text: `see:${getId(index)}` })),
      datasets: [
        {
          oid: getId(1),
          name: getId(1),
          fullname: `CSV:${getId(1)}`,
          connection: {
            oid: getId(2),
            name: getName(5),
            provider: 'CSV',
            parameters: { Password: 'hunter2hunter2', folder: `/data/${getId(1)}`, Server: 'storage' },
          },
          schema: {
            tables: [
              {
                oid: getId(3),
                id: getName(1),
                name: getName(1),
                columns: createColumns(4),
                buildBehavior: { type: 'accumulativeSync', accumulativeConfig: { column: getId(4) } },
              },
              { oid: getId(6), name: getName(2), type: 'custom', expression: sql, columns: createColumns(7) },
            ],
          },
        },
      ],
      relations: [
        {
          oid: getId(9),
          columns: [
            { dataset: getId(1), table: getId(6), column: getId(7) },
            { dataset: getId(1), table: getId(3), column: getId(4) },
          ],
        },
      ],
    };
  });

/** A custom data object without an `_id`. */
export const randomObject: fc.Arbitrary<JsonObject> = fc
  .dictionary(
    fc.string().map((member) => `m ${member}`),
    fc.json(),
    { maxKeys: 4 },
  )
  .map((members) => {
    const object = parseLossless(
      `{${Object.entries(members)
        .map(([member, text]) => `${JSON.stringify(member)}:${text}`)
        .join(',')}}`,
    );
    return isJsonObject(object) ? object : {};
  });

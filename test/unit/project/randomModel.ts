import fc from 'fast-check';
import { type JsonObject, isJsonObject, parseLossless } from '../../../src/base/json.ts';

const uuid = fc.uuid();
const name = fc.string({ minLength: 1, maxLength: 8 }).map((text) => `n ${text}`);

/** A datamodel whose identifiers also appear in members that the product doesn't know. */
export const randomModel: fc.Arbitrary<JsonObject> = fc
  .record({
    ids: fc.uniqueArray(uuid, { minLength: 12, maxLength: 12 }),
    names: fc.uniqueArray(name, { minLength: 6, maxLength: 6 }),
    references: fc.array(fc.nat(10), { maxLength: 6 }),
    formInObject: fc.boolean(),
  })
  .map(({ ids, names, references, formInObject }): JsonObject => {
    const id = (index: number): string => ids[index] ?? '';
    const label = (index: number): string => names[index] ?? '';
    const sql = 'SELECT 1';
    const columns = (first: number) => [
      { oid: id(first), id: label(3), name: label(3), type: 8, lastUpdated: '2026-01-01T00:00:00.000Z' },
      {
        oid: id(first + 1),
        name: label(4),
        isCustom: true,
        expression: formInObject ? { oid: id(11), expression: sql } : sql,
      },
    ];
    return {
      oid: id(0),
      title: label(0),
      type: 'extract',
      serverId: id(10),
      unknown: references.map((index) => ({ reference: id(index), text: `see:${id(index)}` })),
      datasets: [
        {
          oid: id(1),
          name: id(1),
          fullname: `CSV:${id(1)}`,
          connection: {
            oid: id(2),
            name: label(5),
            provider: 'CSV',
            parameters: { Password: 'hunter2hunter2', folder: `/data/${id(1)}`, Server: 'storage' },
          },
          schema: {
            tables: [
              {
                oid: id(3),
                id: label(1),
                name: label(1),
                columns: columns(4),
                buildBehavior: { type: 'accumulativeSync', accumulativeConfig: { column: id(4) } },
              },
              { oid: id(6), name: label(2), type: 'custom', expression: sql, columns: columns(7) },
            ],
          },
        },
      ],
      relations: [
        {
          oid: id(9),
          columns: [
            { dataset: id(1), table: id(6), column: id(7) },
            { dataset: id(1), table: id(3), column: id(4) },
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

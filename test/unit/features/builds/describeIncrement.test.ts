import { expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import { tableSchema } from '../../../../src/contract/table.ts';
import { describeIncrement } from '../../../../src/features/builds/describeIncrement.ts';

const describeConfig = (accumulativeConfig: object): string =>
  describeIncrement(
    tableSchema.parse({
      oid: 't',
      id: 'Orders',
      name: 'Orders',
      columns: [{ oid: 'c', id: 'Day', name: 'Day', type: 31 }],
      buildBehavior: { type: 'accumulative', accumulativeConfig },
    }),
    english,
  );

test.each<[config: object, text: string]>([
  [{ column: 'c' }, 'adds rows after the last Day'],
  [{}, 'adds rows after the last value of a column, but no column is selected'],
  [{ column: null }, 'adds rows after the last value of a column, but no column is selected'],
  [{ column: 'gone' }, "adds rows after the last value of a column, but the table doesn't have that column"],
  [{ column: 'c', lastDays: 1 }, 'adds rows after the last Day · reads the last day again'],
  [{ column: 'c', lastDays: 3 }, 'adds rows after the last Day · reads the last 3 days again'],
  [{ column: 'c', keepOnlyDays: 1 }, 'adds rows after the last Day · drops rows older than 1 day'],
  [{ column: 'c', keepOnlyDays: 30 }, 'adds rows after the last Day · drops rows older than 30 days'],
])('%j is described as "%s"', (config, text) => {
  expect(describeConfig(config)).toBe(text);
});

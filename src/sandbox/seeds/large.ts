import { writeCsv } from './csvFile.ts';
import { SeededRandom } from './seededRandom.ts';
import {
  type ColumnSpec,
  createCsvConnection,
  createSeedModel,
  type TableSpec,
  type TypeName,
} from './seedDocuments.ts';
import { createSeedObjectId } from './seedIds.ts';
import { groups, insertPeople, people } from './people.ts';
import type { Seed, SeedTarget } from './seed.ts';
import {
  createSeedExtractRule,
  defaultParty,
  createGroupParty,
  createUserParty,
  noValuesContent,
  createOnlyContent,
} from './seedRules.ts';
import { createSeedDatasource, formatSeedDim, createSeedViewpoint } from './seedViewpoints.ts';

const counts = {
  tables: 500,
  columns: 40,
  rules: 2000,
  viewpoints: 5000,
  rows: 20,
  tablesPerDataset: 50,
} as const;

const modelTitle = 'Enterprise';
const csvFileName = 'enterprise.csv';
const columnTypes: readonly TypeName[] = ['integer', 'text', 'decimal', 'date'];

const columnNames = Array.from({ length: counts.columns }, (_value, index) => `Column ${index + 1}`);
const formatTableName = (index: number): string => `Table ${String(index + 1).padStart(3, '0')}`;
const columns: readonly ColumnSpec[] = columnNames.map((name, index) => ({
  name,
  type: columnTypes[index % columnTypes.length] ?? 'text',
}));

/** Writes the only CSV file. All tables import it, since this seed is large in documents, not in rows. */
function writeRows(folder: string): void {
  const random = new SeededRandom(500);
  const rows = Array.from({ length: counts.rows }, (_row, row) =>
    columns.map(({ type }, index) => {
      if (index === 0) {
        return row + 1;
      }
      const value = random.nextInteger(1, 28);
      return type === 'date'
        ? `2025-${String((index % 12) + 1).padStart(2, '0')}-${String(value).padStart(2, '0')}`
        : type === 'text'
          ? `Value ${value}`
          : value;
    }),
  );
  writeCsv(folder, csvFileName, columnNames, rows);
}

function insertModel(target: SeedTarget): void {
  const tables: TableSpec[] = Array.from({ length: counts.tables }, (_value, index) => ({
    name: formatTableName(index),
    id: csvFileName,
    columns,
  }));
  target.insertDatamodel(
    createSeedModel({
      title: modelTitle,
      type: 'extract',
      datasets: Array.from({ length: counts.tables / counts.tablesPerDataset }, (_value, index) => ({
        name: `Source ${index + 1}`,
        type: 'extract' as const,
        connection: createCsvConnection(`Source ${index + 1}`, [csvFileName]),
        tables: tables.slice(index * counts.tablesPerDataset, (index + 1) * counts.tablesPerDataset),
      })),
      relations: tables
        .slice(1)
        .map((table, index) => [`${formatTableName(index)}.Column 1`, `${table.name}.Column 1`]),
    }),
  );
}

function insertRules(target: SeedTarget): void {
  const parties = [
    ...Object.values(groups).map(createGroupParty),
    ...Object.values(people).map(createUserParty),
  ];
  const textColumns = columns.filter((column) => column.type === 'text');
  for (let index = 0; index < counts.rules; index += 1) {
    const party = index % 4 === 0 ? defaultParty : (parties[index % parties.length] ?? defaultParty);
    const column = textColumns[Math.floor(index / 4) % textColumns.length]?.name ?? '';
    target.insertExtractRule(
      createSeedExtractRule('LocalHost', modelTitle, `${index}`, {
        table: formatTableName(Math.floor(index / 4) % counts.tables),
        column,
        content: party === defaultParty ? noValuesContent : createOnlyContent(`Value ${(index % 28) + 1}`),
        parties: [party],
      }),
    );
  }
}

function insertViewpoints(target: SeedTarget): void {
  const datasource = createSeedDatasource(modelTitle, 'external');
  for (let index = 0; index < counts.viewpoints; index += 1) {
    const table = formatTableName(index % counts.tables);
    const [textColumn, numberColumn] = [columnNames[1] ?? '', columnNames[2] ?? ''];
    const timestamp = new Date(Date.UTC(2025, 0, 1, 0, index)).toISOString();
    target.insertViewpoint(
      createSeedViewpoint({
        // The first 8 digits are a time, as in the IDs that a sandbox creates, so the viewpoints are sorted by it.
        id:
          (0x67_00_00_00 + index).toString(16) + createSeedObjectId(`large viewpoint/${index}`).slice(0, 16),
        name: `${table} overview ${Math.floor(index / counts.tables) + 1}`,
        description: `Figures of ${table}`,
        enabled: index % 2 === 0,
        datasource,
        columns: [
          {
            table,
            column: textColumn,
            dim: formatSeedDim(table, textColumn, false),
            datatype: 'text',
            title: textColumn,
          },
          {
            table,
            column: numberColumn,
            dim: formatSeedDim(table, numberColumn, false),
            datatype: 'numeric',
            title: numberColumn,
            agg: 'sum',
          },
        ],
        apps: index % 3 === 0 ? [] : ['slack'],
        groups: index % 3 === 0 ? [] : [groups.sales.name],
        users: [],
        createdAt: timestamp,
        updatedAt: timestamp,
      }),
    );
  }
}

/**
 * The large seed, for tests of performance: 500 tables of 40 columns, 2,000 rules, 5,000 viewpoints
 * (decisions.md, "Sandbox").
 */
export const largeSeed: Seed = {
  name: 'large',
  apply(target, folder) {
    insertPeople(target);
    writeRows(folder);
    insertModel(target);
    insertRules(target);
    insertViewpoints(target);
  },
};

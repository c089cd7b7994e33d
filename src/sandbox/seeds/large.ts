import { writeCsv } from './csvFile.ts';
import { Dice } from './dice.ts';
import {
  type ColumnSpec,
  createCsvConnection,
  createSeedModel,
  type TableSpec,
  type TypeName,
} from './seedDocuments.ts';
import { createSeedObjectId } from './seedIds.ts';
import { groups, insertPeople, people } from './people.ts';
import type { Seed, SeedTarget } from './port.ts';
import {
  createSeedExtractRule,
  forDefault,
  forGroup,
  forUser,
  nothingContent,
  onlyContent,
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

const title = 'Enterprise';
const file = 'enterprise.csv';
const kinds: readonly TypeName[] = ['integer', 'text', 'decimal', 'date'];

const columnNames = Array.from({ length: counts.columns }, (_value, index) => `Column ${index + 1}`);
const formatTableName = (index: number): string => `Table ${String(index + 1).padStart(3, '0')}`;
const columns: readonly ColumnSpec[] = columnNames.map((name, index) => ({
  name,
  type: kinds[index % kinds.length] ?? 'text',
}));

/** Writes the only CSV file. All tables import it, since this seed is large in documents, not in rows. */
function writeRows(folder: string): void {
  const dice = new Dice(500);
  const rows = Array.from({ length: counts.rows }, (_row, row) =>
    columns.map(({ type }, index) => {
      if (index === 0) {
        return row + 1;
      }
      const value = dice.between(1, 28);
      return type === 'date'
        ? `2025-${String((index % 12) + 1).padStart(2, '0')}-${String(value).padStart(2, '0')}`
        : type === 'text'
          ? `Value ${value}`
          : value;
    }),
  );
  writeCsv(folder, file, columnNames, rows);
}

function insertModel(store: SeedTarget): void {
  const tables: TableSpec[] = Array.from({ length: counts.tables }, (_value, index) => ({
    name: formatTableName(index),
    id: file,
    columns,
  }));
  store.insertDatamodel(
    createSeedModel({
      title,
      type: 'extract',
      datasets: Array.from({ length: counts.tables / counts.tablesPerDataset }, (_value, index) => ({
        name: `Source ${index + 1}`,
        type: 'extract' as const,
        connection: createCsvConnection(`Source ${index + 1}`, [file]),
        tables: tables.slice(index * counts.tablesPerDataset, (index + 1) * counts.tablesPerDataset),
      })),
      relations: tables
        .slice(1)
        .map((table, index) => [`${formatTableName(index)}.Column 1`, `${table.name}.Column 1`]),
    }),
  );
}

function insertRules(store: SeedTarget): void {
  const parties = [...Object.values(groups).map(forGroup), ...Object.values(people).map(forUser)];
  const textColumns = columns.filter((column) => column.type === 'text');
  for (let index = 0; index < counts.rules; index += 1) {
    const party = index % 4 === 0 ? forDefault : (parties[index % parties.length] ?? forDefault);
    const column = textColumns[Math.floor(index / 4) % textColumns.length]?.name ?? '';
    store.insertExtractRule(
      createSeedExtractRule('LocalHost', title, `${index}`, {
        table: formatTableName(Math.floor(index / 4) % counts.tables),
        column,
        content: party === forDefault ? nothingContent : onlyContent(`Value ${(index % 28) + 1}`),
        parties: [party],
      }),
    );
  }
}

function insertViewpoints(store: SeedTarget): void {
  const source = createSeedDatasource(title, 'external');
  for (let index = 0; index < counts.viewpoints; index += 1) {
    const table = formatTableName(index % counts.tables);
    const [text, number] = [columnNames[1] ?? '', columnNames[2] ?? ''];
    const at = new Date(Date.UTC(2025, 0, 1, 0, index)).toISOString();
    store.insertViewpoint(
      createSeedViewpoint({
        id:
          (0x67_00_00_00 + index).toString(16) + createSeedObjectId(`large viewpoint/${index}`).slice(0, 16),
        name: `${table} overview ${Math.floor(index / counts.tables) + 1}`,
        description: `Figures of ${table}`,
        enabled: index % 2 === 0,
        datasource: source,
        columns: [
          { table, column: text, dim: formatSeedDim(table, text, false), datatype: 'text', title: text },
          {
            table,
            column: number,
            dim: formatSeedDim(table, number, false),
            datatype: 'numeric',
            title: number,
            agg: 'sum',
          },
        ],
        apps: index % 3 === 0 ? [] : ['slack'],
        groups: index % 3 === 0 ? [] : [groups.sales.name],
        users: [],
        createdAt: at,
        updatedAt: at,
      }),
    );
  }
}

/**
 * The large seed, for tests of performance: 500 tables of 40 columns, 2,000 rules, 5,000 viewpoints
 * (decisions.md, "Sandbox").
 */
export const large: Seed = {
  name: 'large',
  apply(store, folder) {
    insertPeople(store);
    writeRows(folder);
    insertModel(store);
    insertRules(store);
    insertViewpoints(store);
  },
};

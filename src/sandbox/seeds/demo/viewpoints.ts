import type { JsonObject } from '../../../base/json.ts';
import { SeededRandom } from '../seededRandom.ts';
import { createSeedObjectId } from '../seedIds.ts';
import { groups, people } from '../people.ts';
import type { SeedTarget } from '../seed.ts';
import { createSeedDatasource, formatSeedDim, createSeedViewpoint } from '../seedViewpoints.ts';
import { dimensions, measures, type Dimension, type Measure } from './measures.ts';

const apps = ['slack', 'teams', 'googlesheets', 'googleslides', 'excel', 'powerpoint'] as const;

const moneyFormat: JsonObject = {
  mask: {
    type: 'number',
    decimals: 2,
    number: { separated: true },
    currency: { symbol: '€', position: 'post' },
  },
};

/** Creates the viewpoint column of a dimension. */
function createDimensionColumn({ table, column, title, level, filter }: Dimension): JsonObject {
  const isDate = level !== undefined;
  return {
    table,
    column,
    dim: formatSeedDim(table, column, isDate),
    datatype: isDate ? 'datetime' : 'text',
    title,
    ...(isDate ? { level } : {}),
    ...(filter === undefined ? {} : { filter }),
    sort: 'asc',
    infusion: isDate ? { defaultDate: true } : { header: true },
  };
}

function createMeasureColumn({ table, column, title, agg, isMoney }: Measure): JsonObject {
  return {
    table,
    column,
    dim: formatSeedDim(table, column, false),
    datatype: 'numeric',
    title,
    agg,
    sort: 'desc',
    ...(isMoney ? { format: [moneyFormat] } : {}),
    infusion: { defaultMeasure: true },
  };
}

/**
 * Creates a column with a unique identifier, which requires a filter (rest-api.md, "infusion sub-object").
 */
const createIdentifierColumn = (dimension: Dimension): JsonObject => ({
  ...createDimensionColumn(dimension),
  filter: dimension.filter ?? { all: true, explicit: false, multiSelection: true },
  infusion: { uid: true, header: true },
});

const yearFilter: JsonObject = {
  table: 'Calendar',
  column: 'Date',
  dim: formatSeedDim('Calendar', 'Date', true),
  datatype: 'datetime',
  title: 'Period',
  level: 'days',
  filter: { from: '2025-01-01', to: '2025-12-31' },
  filterOnly: true,
};

/**
 * Picks the visibility of a viewpoint: at least one app and one user or group, or none of them (rest-api.md, "Limits").
 */
function pickVisibility(
  random: SeededRandom,
  measure: Measure,
): { apps: string[]; groups: string[]; users: string[] } {
  if (random.nextBoolean(0.25)) {
    return { apps: [], groups: [], users: [] };
  }
  const sharedApps = apps.filter(() => random.nextBoolean(0.35));
  const groupNames = measure.audience.filter(() => random.nextBoolean(0.8)).map((name) => groups[name].name);
  const users =
    random.nextBoolean(0.3) || groupNames.length === 0 ? [random.pick(Object.values(people))._id] : [];
  return { apps: sharedApps.length === 0 ? [random.pick(apps, 2)] : sharedApps, groups: groupNames, users };
}

/** Creates an id of 24 hex digits. Like those of a sandbox, the ids sort by creation time. */
const createViewpointId = (index: number): string =>
  (0x67_00_00_00 + index * 40_009).toString(16) + createSeedObjectId(`viewpoint/${index}`).slice(0, 16);

const formatTimestamp = (day: number, minute: number): string =>
  new Date(Date.UTC(2025, 0, 6 + day, 9, minute)).toISOString();

/** Inserts the 130 viewpoints of the demo seed: each of 13 measures by each of 10 dimensions. */
export function insertDemoViewpoints(target: SeedTarget): void {
  const random = new SeededRandom(130);
  const pairs = measures.flatMap((measure) => dimensions.map((dimension) => ({ measure, dimension })));
  pairs.forEach(({ measure, dimension }, index) => {
    const hasIdentifier = dimension.level === undefined && random.nextBoolean(0.2);
    const columns = [
      hasIdentifier ? createIdentifierColumn(dimension) : createDimensionColumn(dimension),
      createMeasureColumn(measure),
    ];
    target.insertViewpoint(
      createSeedViewpoint({
        id: createViewpointId(index),
        name: `${measure.title} by ${dimension.title}`,
        description: `${measure.description}, ${dimension.description}.`,
        enabled: random.nextBoolean(0.65),
        datasource: createSeedDatasource('Retail', 'external'),
        columns:
          dimension.level === undefined && random.nextBoolean(0.5) ? [...columns, yearFilter] : columns,
        ...pickVisibility(random, measure),
        createdAt: formatTimestamp(index, 12),
        updatedAt: formatTimestamp(index + random.nextInteger(0, 90), 47),
      }),
    );
  });
}

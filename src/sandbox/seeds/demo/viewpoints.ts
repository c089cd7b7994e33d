import type { JsonObject } from '../../../base/json.ts';
import { Dice } from '../dice.ts';
import { objectId } from '../ids.ts';
import { groups, people } from '../people.ts';
import type { SeedTarget } from '../port.ts';
import { datasource, dimOf, viewpointDocument } from '../viewpointDocuments.ts';
import { cuts, measures, type Cut, type Measure } from './viewpointWords.ts';

const apps = ['slack', 'teams', 'googlesheets', 'googleslides', 'excel', 'powerpoint'] as const;

const moneyFormat: JsonObject = {
  mask: {
    type: 'number',
    decimals: 2,
    number: { separated: true },
    currency: { symbol: '€', position: 'post' },
  },
};

/** The column of values by which a viewpoint is cut. */
function cutColumn({ table, column, title, level, filter }: Cut): JsonObject {
  const isDate = level !== undefined;
  return {
    table,
    column,
    dim: dimOf(table, column, isDate),
    datatype: isDate ? 'datetime' : 'text',
    title,
    ...(isDate ? { level } : {}),
    ...(filter === undefined ? {} : { filter }),
    sort: 'asc',
    infusion: isDate ? { defaultDate: true } : { header: true },
  };
}

function measureColumn({ table, column, title, agg, money }: Measure): JsonObject {
  return {
    table,
    column,
    dim: dimOf(table, column, false),
    datatype: 'numeric',
    title,
    agg,
    sort: 'desc',
    ...(money ? { format: [moneyFormat] } : {}),
    infusion: { defaultMeasure: true },
  };
}

/** A column to ask one thing about: with a unique identifier a filter must be defined (spec, "infusion"). */
const identifier = (cut: Cut): JsonObject => ({
  ...cutColumn(cut),
  filter: cut.filter ?? { all: true, explicit: false, multiSelection: true },
  infusion: { uid: true, header: true },
});

const yearFilter: JsonObject = {
  table: 'Calendar',
  column: 'Date',
  dim: dimOf('Calendar', 'Date', true),
  datatype: 'datetime',
  title: 'Period',
  level: 'days',
  filter: { from: '2025-01-01', to: '2025-12-31' },
  filterOnly: true,
};

/** With whom a viewpoint is shared: at least one app and one user or group, or with nobody at all (spec, "Limits"). */
function audience(dice: Dice, measure: Measure): { apps: string[]; groups: string[]; users: string[] } {
  if (dice.chance(0.25)) {
    return { apps: [], groups: [], users: [] };
  }
  const shared = apps.filter(() => dice.chance(0.35));
  const inGroups = measure.audience.filter(() => dice.chance(0.8)).map((name) => groups[name].name);
  const users = dice.chance(0.3) || inGroups.length === 0 ? [dice.pick(Object.values(people))._id] : [];
  return { apps: shared.length === 0 ? [dice.pick(apps, 2)] : shared, groups: inGroups, users };
}

/** Ids sort by time of creation, as 24-hex ids of a document store do. */
const idOf = (index: number): string =>
  (0x67_00_00_00 + index * 40_009).toString(16) + objectId(`viewpoint/${index}`).slice(0, 16);

const momentOf = (day: number, minute: number): string =>
  new Date(Date.UTC(2025, 0, 6 + day, 9, minute)).toISOString();

/** Puts 130 viewpoints into a sandbox: each measure of the business by each of ten cuts. */
export function insertDemoViewpoints(store: SeedTarget): void {
  const dice = new Dice(130);
  const pairs = measures.flatMap((measure) => cuts.map((cut) => ({ measure, cut })));
  pairs.forEach(({ measure, cut }, index) => {
    const named = cut.level === undefined && dice.chance(0.2);
    const columns = [named ? identifier(cut) : cutColumn(cut), measureColumn(measure)];
    store.insertViewpoint(
      viewpointDocument({
        id: idOf(index),
        name: `${measure.title} by ${cut.title}`,
        description: `${measure.description}, ${cut.description}.`,
        enabled: dice.chance(0.65),
        datasource: datasource('Retail', 'external'),
        columns: cut.level === undefined && dice.chance(0.5) ? [...columns, yearFilter] : columns,
        ...audience(dice, measure),
        createdAt: momentOf(index, 12),
        updatedAt: momentOf(index + dice.between(0, 90), 47),
      }),
    );
  });
}

import type { JsonObject } from '../../../base/json.ts';
import { writeCsv } from '../csvFile.ts';
import { SeededRandom } from '../seededRandom.ts';
import { createCsvConnection, createSeedModel } from '../seedDocuments.ts';
import { createCustomColumn, createPlainColumn } from './columns.ts';
import { regions, segments } from './demoValues.ts';

const channels = ['Search', 'Social', 'E-mail', 'Display', 'Print'] as const;
const themes = [
  'Spring Launch',
  'Summer Sale',
  'Back to School',
  'Winter Warm',
  'Club Week',
  'Brand',
] as const;

/** Formats a number with a decimal comma. The spend file demonstrates the options `culture` and `delimiter`. */
const formatGermanNumber = (value: number): string => value.toFixed(2).replace('.', ',');

const formatDay = (day: number): string => new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);

/** Writes the CSV files of the Marketing datamodel. */
export function writeMarketingFiles(folder: string): void {
  const random = new SeededRandom(7_654_321);
  const campaigns = Array.from({ length: 36 }, (_value, index) => {
    const start = random.nextInteger(0, 330);
    const theme = themes[index % themes.length] ?? '';
    return [
      index + 1,
      `${theme} ${1 + Math.floor(index / themes.length)}`,
      random.pick(channels),
      formatDay(start),
      formatDay(start + 28),
      random.nextInteger(5, 90) * 1000,
    ] as const;
  });
  writeCsv(
    folder,
    'campaigns.csv',
    ['Campaign Id', 'Campaign', 'Channel', 'Starts On', 'Ends On', 'Budget'],
    campaigns,
  );
  const spend = campaigns.flatMap(([id]) =>
    Array.from({ length: 28 }, (_value, day) => [
      id,
      formatDay(day * 12)
        .split('-')
        .reverse()
        .join('.'),
      formatGermanNumber(random.nextInteger(2000, 240_000) / 100),
      random.nextInteger(100, 9000),
    ]),
  );
  writeCsv(folder, 'ad_spend.csv', ['Campaign Id', 'Day', 'Spend', 'Clicks'], spend, ';');
  const leads = Array.from({ length: 1500 }, (_value, index) => [
    index + 1,
    random.nextInteger(1, campaigns.length),
    formatDay(random.nextInteger(0, 360)),
    random.pick(segments, 1.4),
    random.pick(regions)[1],
    random.nextBoolean(0.22),
  ]);
  writeCsv(
    folder,
    'leads.csv',
    ['Lead Id', 'Campaign Id', 'Created On', 'Segment', 'Region', 'Converted'],
    leads,
  );
}

const performanceSql = `SELECT c.[Campaign], c.[Channel], s.[Spend], l.[Leads], l.[Conversions],
       CASE WHEN l.[Leads] = 0 THEN NULL ELSE ROUND(s.[Spend] / l.[Leads], 2) END AS [Cost per Lead]
FROM [Campaigns] c
LEFT JOIN (SELECT [Campaign Id], SUM([Spend]) AS [Spend] FROM [Ad Spend] GROUP BY [Campaign Id]) s
  ON s.[Campaign Id] = c.[Campaign Id]
LEFT JOIN (SELECT [Campaign Id], COUNT(*) AS [Leads], SUM([Converted]) AS [Conversions] FROM [Leads] GROUP BY [Campaign Id]) l
  ON l.[Campaign Id] = c.[Campaign Id]`;

/** Creates the Marketing datamodel, the second extract datamodel: campaigns, their costs and results. */
export function createMarketingModel(): JsonObject {
  return createSeedModel({
    title: 'Marketing',
    type: 'extract',
    datasets: [
      {
        name: 'Campaigns',
        type: 'extract',
        connection: createCsvConnection('Campaigns', ['campaigns.csv', 'leads.csv']),
        tables: [
          {
            name: 'Campaigns',
            id: 'campaigns.csv',
            columns: [
              createPlainColumn('Campaign Id', 'integer'),
              createPlainColumn('Campaign', 'text'),
              createPlainColumn('Channel', 'text'),
              createPlainColumn('Starts On', 'date'),
              createPlainColumn('Ends On', 'date'),
              createPlainColumn('Budget', 'integer'),
              createCustomColumn('Weeks', 'integer', 'DAYDIFF([Ends On], [Starts On]) / 7'),
            ],
          },
          {
            name: 'Leads',
            id: 'leads.csv',
            columns: [
              createPlainColumn('Lead Id', 'integer'),
              createPlainColumn('Campaign Id', 'integer', { hidden: true }),
              createPlainColumn('Created On', 'date'),
              createPlainColumn('Segment', 'text'),
              createPlainColumn('Region', 'text'),
              createPlainColumn('Converted', 'boolean'),
            ],
          },
        ],
      },
      {
        name: 'Agency Reports',
        type: 'extract',
        connection: createCsvConnection('Agency Reports', ['ad_spend.csv'], {
          delimiter: ';',
          culture: 'de-DE',
        }),
        tables: [
          {
            name: 'Ad Spend',
            id: 'ad_spend.csv',
            description: 'Daily cost as the agency reports it, in German notation',
            columns: [
              createPlainColumn('Campaign Id', 'integer', { hidden: true }),
              createPlainColumn('Day', 'date'),
              createPlainColumn('Spend', 'decimal'),
              createPlainColumn('Clicks', 'integer'),
              createCustomColumn('Cost per Click', 'double', 'ROUND([Spend] / [Clicks], 3)'),
            ],
          },
        ],
      },
      {
        name: 'Custom Tables',
        type: 'custom',
        tables: [
          {
            name: 'Campaign Performance',
            expression: performanceSql,
            columns: [
              createPlainColumn('Campaign', 'text'),
              createPlainColumn('Channel', 'text'),
              createPlainColumn('Spend', 'double'),
              createPlainColumn('Leads', 'integer'),
              createPlainColumn('Conversions', 'integer'),
              createPlainColumn('Cost per Lead', 'double'),
            ],
          },
        ],
      },
    ],
    relations: [
      ['Ad Spend.Campaign Id', 'Campaigns.Campaign Id'],
      ['Leads.Campaign Id', 'Campaigns.Campaign Id'],
    ],
  });
}

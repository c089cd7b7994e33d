import type { JsonObject } from '../../../base/json.ts';
import { writeCsv } from '../csvFile.ts';
import { Dice } from '../dice.ts';
import { createCsvConnection, createSeedModel } from '../seedDocuments.ts';
import { customColumn, sourceColumn } from './columns.ts';
import { regions, segments } from './words.ts';

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
  const dice = new Dice(7_654_321);
  const campaigns = Array.from({ length: 36 }, (_value, index) => {
    const start = dice.between(0, 330);
    const theme = themes[index % themes.length] ?? '';
    return [
      index + 1,
      `${theme} ${1 + Math.floor(index / themes.length)}`,
      dice.pick(channels),
      formatDay(start),
      formatDay(start + 28),
      dice.between(5, 90) * 1000,
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
      formatGermanNumber(dice.between(2000, 240_000) / 100),
      dice.between(100, 9000),
    ]),
  );
  writeCsv(folder, 'ad_spend.csv', ['Campaign Id', 'Day', 'Spend', 'Clicks'], spend, ';');
  const leads = Array.from({ length: 1500 }, (_value, index) => [
    index + 1,
    dice.between(1, campaigns.length),
    formatDay(dice.between(0, 360)),
    dice.pick(segments, 1.4),
    dice.pick(regions)[1],
    dice.chance(0.22),
  ]);
  writeCsv(
    folder,
    'leads.csv',
    ['Lead Id', 'Campaign Id', 'Created On', 'Segment', 'Region', 'Converted'],
    leads,
  );
}

const performance = `SELECT c.[Campaign], c.[Channel], s.[Spend], l.[Leads], l.[Conversions],
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
              sourceColumn('Campaign Id', 'integer'),
              sourceColumn('Campaign', 'text'),
              sourceColumn('Channel', 'text'),
              sourceColumn('Starts On', 'date'),
              sourceColumn('Ends On', 'date'),
              sourceColumn('Budget', 'integer'),
              customColumn('Weeks', 'integer', 'DAYDIFF([Ends On], [Starts On]) / 7'),
            ],
          },
          {
            name: 'Leads',
            id: 'leads.csv',
            columns: [
              sourceColumn('Lead Id', 'integer'),
              sourceColumn('Campaign Id', 'integer', { hidden: true }),
              sourceColumn('Created On', 'date'),
              sourceColumn('Segment', 'text'),
              sourceColumn('Region', 'text'),
              sourceColumn('Converted', 'boolean'),
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
              sourceColumn('Campaign Id', 'integer', { hidden: true }),
              sourceColumn('Day', 'date'),
              sourceColumn('Spend', 'decimal'),
              sourceColumn('Clicks', 'integer'),
              customColumn('Cost per Click', 'double', 'ROUND([Spend] / [Clicks], 3)'),
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
            expression: performance,
            columns: [
              sourceColumn('Campaign', 'text'),
              sourceColumn('Channel', 'text'),
              sourceColumn('Spend', 'double'),
              sourceColumn('Leads', 'integer'),
              sourceColumn('Conversions', 'integer'),
              sourceColumn('Cost per Lead', 'double'),
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

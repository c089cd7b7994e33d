import type { TableSpec } from '../seedDocuments.ts';

const monthlySales: TableSpec = {
  name: 'Monthly Store Sales',
  description: 'Revenue and profit of each store by month, with its share of the region',
  expression: `WITH sales AS (
  SELECT o.[Store Id], o.[Order Month], SUM(i.[Revenue]) AS [Revenue], SUM(i.[Profit]) AS [Profit],
         COUNT(DISTINCT o.[Order Id]) AS [Orders]
  FROM [Orders] o
  JOIN [Order Items] i ON i.[Order Id] = o.[Order Id]
  WHERE o.[Status] <> 'Canceled'
  GROUP BY o.[Store Id], o.[Order Month]
)
SELECT s.[Store Id],
       s.[Store] + ', ' + r.[Country] AS [Store and Country],
       r.[Region],
       m.[Order Month] AS [Month],
       m.[Revenue],
       m.[Profit],
       m.[Orders],
       ROUND(m.[Revenue] / m.[Orders], 2) AS [Revenue per Order]
FROM sales m
JOIN [Stores] s ON s.[Store Id] = m.[Store Id]
JOIN [Regions] r ON r.[Region Id] = s.[Region Id]`,
  columns: [
    { name: 'Store Id', type: 'integer', hidden: true },
    { name: 'Store and Country', type: 'text' },
    { name: 'Region', type: 'text' },
    { name: 'Month', type: 'date' },
    { name: 'Revenue', type: 'double' },
    { name: 'Profit', type: 'double' },
    { name: 'Orders', type: 'integer' },
    { name: 'Revenue per Order', type: 'double' },
  ],
};

const customerValue: TableSpec = {
  name: 'Customer Value',
  description: 'Revenue from each customer so far',
  expression: `SELECT c.[Customer Id],
       c.[Full Name] AS [Customer],
       COUNT(DISTINCT o.[Order Id]) AS [Orders],
       SUM(i.[Revenue]) AS [Lifetime Revenue],
       MAX(o.[Order Day]) AS [Last Order],
       CASE WHEN SUM(i.[Revenue]) >= 3000 THEN 'A'
            WHEN SUM(i.[Revenue]) >= 1000 THEN 'B'
            ELSE 'C' END AS [Value Class]
FROM [Customers] c
LEFT JOIN [Orders] o ON o.[Customer Id] = c.[Customer Id] AND o.[Status] NOT IN ('Canceled')
LEFT JOIN [Order Items] i ON i.[Order Id] = o.[Order Id]
GROUP BY c.[Customer Id], c.[Full Name]`,
  columns: [
    { name: 'Customer Id', type: 'integer', hidden: true },
    { name: 'Customer', type: 'text' },
    { name: 'Orders', type: 'integer' },
    { name: 'Lifetime Revenue', type: 'double' },
    { name: 'Last Order', type: 'date' },
    { name: 'Value Class', type: 'text' },
  ],
};

const storeRanking: TableSpec = {
  name: 'Store Ranking',
  description: 'The best months of each store; reads another custom table',
  expression: `SELECT [Store and Country] AS [Store], [Month], [Revenue],
       RANKDESC([Store and Country], [Revenue]) AS [Rank]
FROM [Monthly Store Sales]
WHERE [Revenue] > 0`,
  columns: [
    { name: 'Store', type: 'text' },
    { name: 'Month', type: 'date' },
    { name: 'Revenue', type: 'double' },
    { name: 'Rank', type: 'integer' },
  ],
};

/** The custom tables of the Retail datamodel, with the columns that a build generates. */
export const retailCustomTables: readonly TableSpec[] = [monthlySales, customerValue, storeRanking];

import type { Catalog } from '../../src/sql/index.ts';

/** A statement of 60 lines with CTEs, joins, CASE, a window, EXISTS, sub-selects, UNION ALL. */
const sixtyLineSql = `WITH RecentOrders AS (
  SELECT o.OrderId, o.CustomerId, o.OrderDate, o.Status
  FROM Orders o
  WHERE o.OrderDate >= '2024-01-01' AND o.Status <> 'cancelled'
),
LineTotals AS (
  SELECT i.OrderId,
    SUM(i.Quantity * i.UnitPrice) AS Total,
    COUNT(*) AS LineCount
  FROM OrderItems i
  INNER JOIN Products p ON p.ProductId = i.ProductId
  WHERE p.Discontinued = 0
  GROUP BY i.OrderId
  HAVING COUNT(*) > 0
)
SELECT c.CustomerName AS Customer,
  c.Country,
  r.OrderDate,
  CASE
    WHEN t.Total > 1000 THEN 'large'
    WHEN t.Total BETWEEN 100 AND 1000 THEN 'medium'
    ELSE 'small'
  END AS SizeClass,
  ROW_NUMBER() OVER (PARTITION BY c.CustomerId ORDER BY r.OrderDate DESC) AS Rn,
  (SELECT MAX(x.OrderDate) FROM Orders x WHERE x.CustomerId = c.CustomerId) AS LastOrder,
  t.Total + 10 AS Padded,
  c.FirstName || ' ' || c.LastName AS FullName
FROM RecentOrders r
INNER JOIN Customers c ON c.CustomerId = r.CustomerId
LEFT JOIN LineTotals t ON t.OrderId = r.OrderId
WHERE c.Country IN ('NL', 'DE', 'FR')
  AND EXISTS (
    SELECT 1
    FROM Payments y
    WHERE y.OrderId = r.OrderId AND y.Amount > 0
  )
  AND c.CustomerName NOT LIKE 'Test%'
  AND (r.Status = 'shipped' OR r.Status IS NULL)
UNION ALL
SELECT s.SupplierName,
  s.Country,
  d.DeliveryDate,
  'supplier',
  0,
  CAST(d.DeliveryDate AS DATE),
  COALESCE(d.Total, 0),
  s.FirstName || ' ' || s.LastName
FROM Suppliers s
INNER JOIN (
  SELECT q.SupplierId, q.DeliveryDate, SUM(q.Amount) AS Total
  FROM Deliveries q
  GROUP BY q.SupplierId, q.DeliveryDate
) d ON d.SupplierId = s.SupplierId
WHERE d.Total > 500
  AND d.Total < 5000000
  AND s.Country <> 'XX'
  AND s.SupplierName IS NOT NULL
ORDER BY Customer, OrderDate DESC
LIMIT 100`;

const tableColumns: Readonly<Record<string, readonly string[]>> = {
  Orders: ['OrderId', 'CustomerId', 'OrderDate', 'Status'],
  OrderItems: ['OrderId', 'ProductId', 'Quantity', 'UnitPrice'],
  Products: ['ProductId', 'Discontinued'],
  Customers: ['CustomerId', 'CustomerName', 'Country', 'FirstName', 'LastName'],
  Payments: ['OrderId', 'Amount'],
  Suppliers: ['SupplierId', 'SupplierName', 'Country', 'FirstName', 'LastName'],
  Deliveries: ['SupplierId', 'DeliveryDate', 'Amount'],
};

export type QuotingStyle = 'plain' | 'double' | 'bracket' | 'backtick' | 'mixed';
export const quotingStyles: readonly QuotingStyle[] = ['plain', 'double', 'bracket', 'backtick', 'mixed'];

const namePattern = new RegExp(
  `\\b(${[...new Set([...Object.keys(tableColumns), ...Object.values(tableColumns).flat()])].join('|')})\\b`,
  'g',
);

function toSpacedName(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
}

function quoteName(style: QuotingStyle, name: string, position: number): string {
  const styles = { double: `"${name}"`, bracket: `[${name}]`, backtick: `\`${name}\`` };
  if (style === 'plain') {
    return name;
  }
  const cycle = [styles.bracket, styles.double, styles.backtick] as const;
  return style === 'mixed' ? (cycle[position % 3] ?? name) : styles[style];
}

/** Returns the statement of 60 lines; in every style except `plain`, names contain spaces and are quoted. */
export function createShortSql(style: QuotingStyle): string {
  if (style === 'plain') {
    return sixtyLineSql;
  }
  let position = 0;
  return sixtyLineSql.replaceAll(namePattern, (name) => quoteName(style, toSpacedName(name), position++));
}

/** Returns a statement of about 2,000 lines: the 60 lines 33 times, each as a CTE. */
export function createLongSql(style: QuotingStyle): string {
  const statement = createShortSql(style).replace(/\nORDER BY[^]*$/, '');
  const ctes = Array.from({ length: 33 }, (_, index) => `Part${index} AS (\n${statement}\n)`);
  return `WITH ${ctes.join(',\n')}\nSELECT a.*, b.FullName AS Other\nFROM Part0 a\nJOIN Part32 b ON b.Customer = a.Customer`;
}

/** Creates a catalog of 500 tables with 40 columns each, including the tables and columns of the statements. */
export function createLargeCatalog(style: QuotingStyle): Catalog {
  const toName = style === 'plain' ? (name: string): string => name : toSpacedName;
  const usedTables = Object.entries(tableColumns).map(([name, columns]) => ({
    name: toName(name),
    columns: columns.map(toName),
  }));
  const otherTables = Array.from({ length: 500 - usedTables.length }, (_, index) => ({
    name: `Table ${index}`,
    columns: [] as string[],
  }));
  return {
    complete: true,
    tables: [...usedTables, ...otherTables].map(({ name, columns }) => ({
      name,
      columns: Array.from({ length: 40 }, (_, index) => ({
        name: columns[index] ?? `${name} Column ${index}`,
        type: 18,
      })),
    })),
  };
}

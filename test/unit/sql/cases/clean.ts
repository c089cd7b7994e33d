/** Valid statements; `⏎` is a line break. */
export const CLEAN_STATEMENTS = `
SELECT 1
SELECT 1 AS one
SELECT 1, 'a', NULL, TRUE
SELECT 'it''s'
SELECT ''''
SELECT '''quoted'''
SELECT 'a"b$c%d>e'
SELECT * FROM Orders
SELECT * FROM Orders;
SELECT * FROM Orders o
SELECT * FROM Orders AS o
select amount from orders
SELECT AMOUNT FROM ORDERS
SELECT o.* FROM Orders o
SELECT Orders.* FROM Orders
SELECT [Order Id], Amount FROM [Orders]
SELECT [Orders].[Order Id] FROM [Orders]
SELECT [Orders].Amount FROM [Orders]
SELECT Orders.[Amount] FROM Orders
SELECT o.[Order Id], o.Amount FROM Orders o
SELECT "Order Id", "Amount" FROM "Orders"
SELECT "Orders"."Order Id" FROM "Orders"
SELECT \`Order Id\` FROM \`Orders\`
SELECT o.\`Order Id\`, o."Amount", o.[Status] FROM Orders o
SELECT Margin FROM Orders
SELECT p.[Cost [USD]]] FROM Products p
SELECT "Cost [USD]", \`Cost [USD]\` FROM Products
SELECT Größe FROM Products
SELECT p.[Größe] FROM Products p
SELECT f."a""b", f.\`x\`\`y\`, f.[a"b] FROM [orders.csv] f
SELECT id, total FROM [orders.csv]
SELECT [orders.csv].id FROM [orders.csv]
SELECT [orders.csv].[total] FROM [orders.csv]
SELECT id FROM orders.csv
SELECT orders.csv.id FROM orders.csv
SELECT f.Date FROM [orders.csv] f
SELECT Date FROM [orders.csv]
SELECT id AS DATE FROM [orders.csv]
SELECT Amount AS Value, Status AS Date FROM Orders
SELECT Amount AS Order FROM Orders
SELECT Amount AS [Order], Status AS "Group" FROM Orders
SELECT Amount AS From FROM Orders
SELECT Amount total FROM Orders
SELECT Amount [the total] FROM Orders
SELECT Amount AS 'Total' FROM Orders
SELECT DISTINCT Status FROM Orders
SELECT ALL Status FROM Orders
SELECT TOP 10 * FROM Orders
SELECT TOP (10) Amount FROM Orders
SELECT TOP 10 PERCENT Amount FROM Orders
SELECT COUNT(*) FROM Orders
SELECT COUNT(DISTINCT Status) FROM Orders
SELECT SUM(Amount), MIN(Amount), MAX(Amount), AVG(Amount) FROM Orders
SELECT Amount + 1, Amount - 1, Amount * 2, Amount / 2, Amount % 2 FROM Orders
SELECT -Amount, +Amount, - -1 FROM Orders
SELECT (Amount + 1) * 2 FROM Orders
SELECT [First Name] + ' ' + [Last Name] FROM Customers
SELECT [First Name] || ' ' || [Last Name] FROM Customers
SELECT 1.5, .5, 1e5, 1.5E-3, 007
SELECT CREATEDATE(2020,01,01)
SELECT CASE WHEN Amount > 1 THEN 'a' ELSE 'b' END FROM Orders
SELECT CASE WHEN Amount > 1 THEN 'a' END FROM Orders
SELECT CASE Status WHEN 'a' THEN 1 WHEN 'b' THEN 2 ELSE 3 END FROM Orders
SELECT CASE WHEN Amount > 1 THEN CASE WHEN Status = 'x' THEN CASE WHEN 1 = 1 THEN 1 END END ELSE 0 END FROM Orders
SELECT CAST(Amount AS VARCHAR(20)) FROM Orders
SELECT CAST(Amount AS DECIMAL(10, 2)), CAST(Status AS DOUBLE PRECISION) FROM Orders
SELECT CAST(Status AS TIMESTAMP WITH TIME ZONE) FROM Orders
SELECT Amount::VARCHAR FROM Orders
SELECT Amount FROM Orders WHERE Amount BETWEEN 1 AND 2
SELECT Amount FROM Orders WHERE Amount NOT BETWEEN 1 AND 2 AND Status = 'x'
SELECT Amount FROM Orders WHERE Status IN ('a','b' , 'c')
SELECT Amount FROM Orders WHERE Status NOT IN ( 'a' )
SELECT Amount FROM Orders WHERE Status IN ('a') AND Amount = 1 OR Amount = 2
SELECT Amount FROM Orders WHERE Status LIKE 'a%' OR Status NOT LIKE '%b'
SELECT Amount FROM Orders WHERE Status LIKE 'a!%' ESCAPE '!'
SELECT Amount FROM Orders WHERE Status IS NULL OR Amount IS NOT NULL
SELECT Amount FROM Orders WHERE IsNull(Status) AND NOT IsNull(Amount)
SELECT Amount FROM Orders WHERE IsNullOrEmpty(Status)
SELECT Amount FROM Orders WHERE NOT (Amount > 1)
SELECT Amount FROM Orders WHERE Amount <> 1 AND Amount != 2 AND Amount <= 3 AND Amount >= 4
SELECT Amount FROM Orders WHERE (Amount, Status) IN ((1, 'a'), (2, 'b'))
SELECT Amount FROM Orders WHERE EXISTS (SELECT 1 FROM Customers)
SELECT Amount FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers c WHERE c.[Customer Id] = o.[Customer Id])
SELECT Amount FROM Orders o WHERE NOT EXISTS (SELECT * FROM [Order Items] i WHERE i.[Order Id] = o.[Order Id] AND Status = 'x')
SELECT Amount FROM Orders WHERE [Customer Id] IN (SELECT [Customer Id] FROM Customers)
SELECT Amount FROM Orders WHERE Amount > (SELECT AVG(Amount) FROM Orders)
SELECT Amount FROM Orders WHERE Amount > ALL (SELECT Quantity FROM [Order Items])
SELECT (SELECT MAX(Quantity) FROM [Order Items] i WHERE i.[Order Id] = o.[Order Id]) AS q FROM Orders o
SELECT Status, SUM(Amount) FROM Orders GROUP BY Status
SELECT Status, SUM(Amount) AS total FROM Orders GROUP BY Status HAVING SUM(Amount) > 1
SELECT Status AS s, SUM(Amount) AS total FROM Orders GROUP BY s HAVING total > 1
SELECT Status FROM Orders GROUP BY Status ORDER BY COUNT(*) DESC
SELECT Amount AS a FROM Orders ORDER BY a
SELECT Amount FROM Orders ORDER BY Status DESC, Amount ASC NULLS LAST
SELECT Amount FROM Orders ORDER BY 1, 2
SELECT Amount FROM Orders ORDER BY CASE WHEN Amount > 1 THEN 1 ELSE 2 END
SELECT Amount FROM Orders LIMIT 10
SELECT Amount FROM Orders LIMIT 10 OFFSET 5
SELECT Amount FROM Orders ORDER BY Amount OFFSET 5 ROWS FETCH NEXT 10 ROWS ONLY
SELECT Amount FROM Orders FETCH FIRST 5 ROWS ONLY
SELECT * FROM Orders o JOIN Customers c ON o.[Customer Id] = c.[Customer Id]
SELECT * FROM Orders o INNER JOIN Customers c ON o.[Customer Id] = c.[Customer Id] AND c.Name = 'x'
SELECT * FROM Orders o LEFT JOIN Customers c ON o.[Customer Id] = c.[Customer Id]
SELECT * FROM Orders o LEFT OUTER JOIN Customers c ON (o.[Customer Id] = c.[Customer Id])
SELECT * FROM Orders o RIGHT JOIN Customers c ON 1 = 1
SELECT * FROM Orders o FULL OUTER JOIN Customers c ON 1 = 1
SELECT * FROM Orders o CROSS JOIN Customers c
SELECT * FROM Orders NATURAL JOIN Customers
SELECT [Customer Id] FROM Orders NATURAL JOIN Customers
SELECT [Customer Id], Name FROM Orders JOIN Customers USING ([Customer Id])
SELECT * FROM Orders, Customers WHERE Orders.[Customer Id] = Customers.[Customer Id]
SELECT * FROM Orders o, Customers c, Products p WHERE c.Name = p.Name
SELECT * FROM (Orders o JOIN Customers c ON o.[Customer Id] = c.[Customer Id])
SELECT * FROM (Orders o JOIN Customers c ON o.[Customer Id] = c.[Customer Id]) JOIN [Order Items] i ON i.[Order Id] = o.[Order Id]
SELECT * FROM Orders o LEFT JOIN Customers c JOIN Products p ON p.Name = c.Name ON c.[Customer Id] = o.[Customer Id]
SELECT a.Amount, b.Amount FROM Orders a JOIN Orders b ON a.[Order Id] = b.[Order Id]
SELECT d.Amount FROM (SELECT Amount FROM Orders) d
SELECT Amount FROM (SELECT Amount FROM Orders) AS d
SELECT Amount FROM (SELECT * FROM Orders)
SELECT d.x FROM (SELECT Amount FROM Orders) d (x)
SELECT d.s FROM (SELECT Status AS s, COUNT(*) AS n FROM Orders GROUP BY Status) d WHERE d.n > 1
SELECT x.Name FROM (SELECT o.Amount, c.* FROM Orders o JOIN Customers c ON o.[Customer Id] = c.[Customer Id]) x
SELECT x.n FROM (SELECT 1 AS n UNION ALL SELECT 2) x
SELECT Amount FROM Orders UNION SELECT Quantity FROM [Order Items]
SELECT Amount AS a, Status AS b FROM Orders UNION ALL SELECT Quantity, 'x' FROM [Order Items]
SELECT Amount FROM Orders INTERSECT SELECT Quantity FROM [Order Items]
SELECT Amount FROM Orders EXCEPT SELECT Quantity FROM [Order Items]
(SELECT Amount FROM Orders) UNION ALL (SELECT Quantity FROM [Order Items])
SELECT Amount FROM Orders UNION ALL SELECT Quantity FROM [Order Items] ORDER BY Amount
SELECT Amount FROM Orders UNION ALL SELECT 1 UNION ALL SELECT 2 ORDER BY 1 LIMIT 3
WITH c AS (SELECT Amount FROM Orders) SELECT Amount FROM c
WITH c AS (SELECT Amount FROM Orders) SELECT c.Amount FROM c
WITH c AS (SELECT Amount FROM Orders) SELECT x.Amount FROM c x
WITH c (a, b) AS (SELECT Amount, Status FROM Orders) SELECT a, c.b FROM c
WITH c AS (SELECT * FROM Orders), d AS (SELECT * FROM c) SELECT Amount, d.[Order Id] FROM d
WITH c AS (SELECT Amount AS x FROM Orders), d AS (SELECT x + 1 AS y FROM c) SELECT y FROM d JOIN c ON c.x = d.y
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT n FROM t
WITH t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT n FROM t
WITH Orders AS (SELECT Amount AS x FROM Orders) SELECT x FROM Orders
WITH c AS (SELECT 1 AS a) SELECT (SELECT MAX(a) FROM c) FROM Orders
WITH c AS (WITH d AS (SELECT 1 AS a) SELECT a FROM d) SELECT a FROM c
WITH [my cte] AS (SELECT Amount FROM Orders) SELECT [my cte].Amount FROM [my cte]
SELECT SUM(Amount) OVER (PARTITION BY Status) FROM Orders
SELECT ROW_NUMBER() OVER (PARTITION BY Status ORDER BY Amount DESC) AS rn FROM Orders
SELECT SUM(Amount) OVER (ORDER BY [Order Date] ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM Orders
SELECT AVG(Amount) OVER (ORDER BY [Order Date] ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM Orders
SELECT SUM(Amount) OVER (ORDER BY Amount ROWS UNBOUNDED PRECEDING) FROM Orders
SELECT SUM(Amount) OVER (ORDER BY Amount RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM Orders
SELECT SUM(Amount) OVER w FROM Orders WINDOW w AS (PARTITION BY Status)
SELECT LAG(Amount, 1) OVER (ORDER BY [Order Date]) FROM Orders
SELECT COUNT(*) FILTER (WHERE Amount > 1) FROM Orders
SELECT Lookup([Customers], [Name], [Customer Id], [Customer Id]) FROM Orders
SELECT Lookup(Customers, Name, o.[Customer Id], [Customer Id]) FROM Orders o
SELECT Trim(Lookup([Customers], [Name], [Customer Id], [Customer Id])) AS n FROM Orders
SELECT AddDays([Order Date], 1), GetYear([Order Date]), DayDiff([Order Date], CurrentDate()) FROM Orders
SELECT NoSuchFunction(Amount, 1) FROM Orders
SELECT my.schema_function(Amount) FROM Orders
SELECT LEFT(Status, 2), RIGHT(Status, 2), Concat(Status, Concat('a', 'b')) FROM Orders
SELECT SubString(Status, 1), SubString(Status, 1, 2), ReplaceAll(Status, 'a', 'b') FROM Orders
SELECT EXTRACT(YEAR FROM [Order Date]) FROM Orders
SELECT SUBSTRING(Status FROM 1 FOR 2), TRIM(BOTH 'x' FROM Status), POSITION('a' IN Status) FROM Orders
SELECT DATEDIFF(day, [Order Date], CURRENT_DATE), TIMESTAMPADD(MONTH, 1, [Order Date]) FROM Orders
SELECT FLOOR([Order Date] TO MONTH) FROM Orders
SELECT CURRENT_DATE, CURRENT_TIMESTAMP
SELECT DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00', INTERVAL '1' DAY
SELECT [Order Date] + INTERVAL '1' DAY FROM Orders
SELECT Amount -- a comment with 'quotes' and [brackets⏎FROM Orders
SELECT /* block⏎comment */ Amount FROM Orders -- end
-- first⏎SELECT Amount FROM Orders
SELECT Amount⏎⏎FROM⏎Orders⏎  ⏎
⏎  SELECT Amount FROM Orders
SELECT 'a⏎b' AS x FROM Orders
SELECT Amount FROM Orders WHERE Status = '[x] "y" \`z\` -- no comment'
SELECT o.Amount, o.[Order Id] FROM [Orders] o WHERE o.Status = 'x' GROUP BY o.Amount, o.[Order Id]
SELECT Amount FROM Orders WHERE Amount = 1 AND Status = 'a' OR Amount = 2 AND Status = 'b'
SELECT o.Amount FROM Orders o WHERE o.[Customer Id] = (SELECT MAX([Customer Id]) FROM Customers WHERE Country = Status)
SELECT Id2.[Order Id] FROM (SELECT [Order Id] FROM Orders) Id2
SELECT o.Amount AS [a.b], o.Status AS "c ""d""" FROM Orders o
SELECT Status, COUNT(*) FROM Orders GROUP BY ROLLUP (Status)
SELECT GROUPING_ID(Status) FROM Orders GROUP BY GROUPING SETS ((Status), ())
SELECT x.Amount FROM Orders x CROSS JOIN LATERAL (SELECT i.Quantity FROM [Order Items] i WHERE i.[Order Id] = x.[Order Id]) y
SELECT t.x FROM UNNEST(ARRAY_AGG(1)) AS t (x)
SELECT * FROM (VALUES (1, 2), (3, 4)) v
SELECT [Customer Id] FROM Orders o WHERE o.Amount > 1 ORDER BY o.[Customer Id]
SELECT o.[Customer Id] FROM Orders o JOIN Customers c ON o.[Customer Id] = c.[Customer Id] ORDER BY [Customer Id]
SELECT o.[Customer Id] AS cid FROM Orders o JOIN Customers c ON 1 = 1 GROUP BY cid
SELECT N'x', n'it''s', x'FF', X'00', b'01' FROM Orders
SELECT N FROM (SELECT Amount AS N FROM Orders) x WHERE x.N > 1 AND N = 'x'
SELECT GROUP_CONCAT(DISTINCT Status ORDER BY Amount SEPARATOR ',') FROM Orders
SELECT GROUP_CONCAT(Status SEPARATOR '; ') FROM Orders
SELECT ARRAY[1, 2, Amount], ARRAY['a', [Order Id]], ARRAY[ARRAY[1], ARRAY[]] FROM Orders
SELECT Amount FROM Orders WHERE Amount = ANY(ARRAY[1, 2])
SELECT * FROM Orders WITH (NOLOCK)
SELECT o.Amount FROM Orders o WITH (NOLOCK) JOIN Customers AS c WITH (NOLOCK, INDEX(x)) ON c.[Customer Id] = o.[Customer Id]
SELECT o.Amount FROM Orders WITH (NOLOCK) AS o
SELECT x.Name FROM Orders o CROSS APPLY (SELECT TOP 1 * FROM Customers c WHERE c.[Customer Id] = o.[Customer Id]) x
SELECT Amount FROM Orders OUTER APPLY (SELECT 1 AS one WHERE Amount > 1) x
SELECT LAST_VALUE(Amount) IGNORE NULLS OVER (ORDER BY [Order Date]) FROM Orders
SELECT Status FROM Orders GROUP BY Status WITH ROLLUP
SELECT Amount FROM Orders WHERE Amount IS TRUE OR Amount IS NOT UNKNOWN
SELECT 0x1F, @v, $1 FROM Orders;;
`;

/** Valid column expressions of Orders. */
export const CLEAN_EXPRESSIONS = `
[Amount]
Amount
[Orders].[Amount]
Orders.Amount
orders.[amount]
"Order Id"
\`Order Id\`
[Amount] + [Margin] * 2
[Status] + ' ' + [Status]
1
'x'
CASE WHEN [Amount] > 1 THEN 'big' ELSE 'small' END
CASE WHEN [Status] IN ( 'a' ,'b') OR [Status] NOT IN ('c') AND [Amount] > 1 THEN 1 ELSE 0 END
CASE WHEN IsNull([Status]) THEN 'none' ELSE [Status] END
NOT IsNull([Status])
[Status] IS NULL
Lookup([Customers], [Name], [Customer Id], [Customer Id])
lookup(Customers, Name, [Customer Id], [Customer Id])
IsNull(Lookup([Customers], [Name], [Customer Id], [Customer Id]))
Lookup([Order Items], [Quantity], [Order Id], [Order Id]) * [Amount]
[Amount] / Lookup([orders.csv], [total], [Order Id], [id])
Concat(Upper([Status]), Concat('a', Lower([Status])))
CreateDate(GetYear([Order Date]), 01, 01)
AddDays([Order Date], 7)
ToString([Amount])
CAST([Amount] AS INTEGER)
Left([Status], 1)
[Status] LIKE 'a%'
-[Amount]
([Amount])
[Amount] -- comment
⏎[Amount]⏎
RankDesc([Status], [Amount])
CASE [Status] WHEN 'a' THEN 1 END
[Amount] * 2;
[Status] + N'x' ;
select [Status] + ' ' + [Status]
SELECT [Amount] * 2;
select -- what it gives⏎  CASE WHEN [Amount] > 1 THEN 'big' ELSE 'small' END
Select Lookup([Customers], [Name], [Customer Id], [Customer Id])
(SELECT [Amount])
`;

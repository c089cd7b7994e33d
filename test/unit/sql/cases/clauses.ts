/**
 * WHERE, GROUP BY, HAVING, ORDER BY, LIMIT, set operators and the operators of expressions; `readCases` in model.ts
 * describes the format.
 */
export const CLAUSES = `
SELECT * FROM Orders WHERE | => Amount, Status, NOT, EXISTS, CASE, Orders !! Name, WHERE, FROM, GROUP BY
SELECT * FROM Orders WHERE |⏎ORDER BY Amount => Status !! Name
SELECT * FROM Orders o WHERE | => Amount, o !! Orders, Name
SELECT * FROM Orders o WHERE o.| => Amount !! Name
SELECT * FROM Orders o WHERE o.|⏎GROUP BY o.Status => Amount
SELECT * FROM Orders o WHERE o.| AND o.Amount > 1 => Status
SELECT * FROM Orders o WHERE o.[St|] = 'x' => Status
SELECT * FROM Orders o WHERE Amount | => AND, OR, IN, NOT IN, LIKE, BETWEEN, IS NULL, IS NOT NULL, GROUP BY, ORDER BY !! Amount, WHERE, FROM, THEN
SELECT * FROM Orders o WHERE Amount > | => Amount, Margin !! AND, GROUP BY
SELECT * FROM Orders o WHERE Amount > 1 | => AND, OR, GROUP BY, ORDER BY, UNION !! Amount, WHERE, JOIN
SELECT * FROM Orders o WHERE Amount > 1 A| => AND
SELECT * FROM Orders o WHERE Amount > 1 a| AND Status = 'x' => AND
SELECT * FROM Orders o WHERE Amount > 1 AND | => Status, NOT, EXISTS !! GROUP BY
SELECT * FROM Orders o WHERE Amount > 1 OR St| => Status
SELECT * FROM Orders o WHERE NOT | => Amount, EXISTS !! AND
SELECT * FROM Orders o WHERE Amount NOT | => IN, LIKE, BETWEEN !! Amount, AND, GROUP BY
SELECT * FROM Orders o WHERE Amount IS | => NULL, NOT NULL, NOT !! Amount, AND
SELECT * FROM Orders o WHERE Amount IS NOT | => NULL !! AND, NOT NULL
SELECT * FROM Orders o WHERE Amount IS NULL | => AND, OR, GROUP BY !! NULL
SELECT * FROM Orders o WHERE Amount IN (|) => Amount, SELECT !! AND
SELECT * FROM Orders o WHERE Amount IN (| => SELECT, Margin
SELECT * FROM Orders o WHERE Amount IN (1, |) => Margin !! AND
SELECT * FROM Orders o WHERE Amount IN (1, 2) | => AND, ORDER BY !! Amount
SELECT * FROM Orders o WHERE Amount IN (SELECT | FROM [Order Items]) => Quantity, Amount, DISTINCT !! Name
SELECT * FROM Orders o WHERE Amount IN (SELECT Quantity FROM |) => Order Items
SELECT * FROM Orders o WHERE Amount BETWEEN | => Margin !! AND
SELECT * FROM Orders o WHERE Amount BETWEEN 1 | => AND !! OR, GROUP BY, IN
SELECT * FROM Orders o WHERE Amount BETWEEN 1 AND | => Margin !! AND
SELECT * FROM Orders o WHERE Amount BETWEEN 1 AND 2 | => AND, OR, ORDER BY
SELECT * FROM Orders o WHERE Status LIKE | => Status !! AND
SELECT * FROM Orders o WHERE Status LIKE 'a%' | => AND, ORDER BY !! Amount
SELECT * FROM Orders o WHERE EXISTS (| => SELECT
SELECT * FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers c WHERE c.| => Name !! Amount
SELECT * FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers c WHERE c.[Customer Id] = o.| => Customer Id, Amount !! Name
SELECT * FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers c WHERE |) => Name, Amount, c, o !! Quantity
SELECT * FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers c) AND o.| => Amount !! Name
SELECT * FROM Orders o WHERE (Amount > 1 AND |) => Status
SELECT * FROM Orders o WHERE (Amount > 1 OR (Status = 'x' AND o.|)) => Amount
SELECT * FROM Orders o WHERE (Amount > 1 | => AND, OR !! GROUP BY, ORDER BY
SELECT * FROM Orders o WHERE (Amount > 1) | => AND, GROUP BY
SELECT * FROM Orders WHERE Status = 'a|b' !! Amount, AND, Status
SELECT * FROM Orders WHERE Status = '| !! Amount, AND, Status
SELECT * FROM Orders WHERE Status = 'Letter from | !! Orders, Amount, Customers
SELECT * FROM Orders WHERE Status = 'it''s |' !! Amount, AND
SELECT * FROM Orders WHERE Status = 'x' | => AND !! Amount
SELECT * FROM Orders WHERE Amount = 12| !! Amount, AND
SELECT * FROM Orders -- from | !! Orders, WHERE
SELECT * FROM Orders -- from⏎ | => WHERE
SELECT * FROM Orders /* | */ o !! WHERE, Orders
SELECT * FROM Orders /* x */ | => WHERE, JOIN
SELECT /* | FROM Orders !! Amount
SELECT * FROM Orders WHERE Status = 'abc⏎ORDER BY | => Amount, Status
SELECT * FROM Orders GROUP | !! WHERE, Amount
SELECT * FROM Orders GROUP BY | => Status, Amount !! Name, HAVING, WHERE
SELECT Status AS st FROM Orders GROUP BY | => Status, st
SELECT * FROM Orders GROUP BY Status, | => Amount !! HAVING
SELECT * FROM Orders GROUP BY Status | => HAVING, ORDER BY, UNION !! WHERE, Amount, JOIN
SELECT * FROM Orders o GROUP BY o.| => Status !! Name
SELECT * FROM Orders o GROUP BY o.| HAVING COUNT(*) > 1 => Status
SELECT * FROM Orders GROUP BY Status HAVING | => SUM, COUNT, Amount !! Name, WHERE
SELECT Status, SUM(Amount) AS total FROM Orders GROUP BY Status HAVING | => total, SUM
SELECT * FROM Orders GROUP BY Status HAVING SUM(|) > 1 => Amount, DISTINCT
SELECT * FROM Orders GROUP BY Status HAVING COUNT(*) > 1 | => ORDER BY, AND !! HAVING, GROUP BY, Amount
SELECT * FROM Orders ORDER | !! WHERE, Amount
SELECT * FROM Orders ORDER BY | => Amount, Status !! ASC, Name
SELECT Amount AS total FROM Orders ORDER BY | => total, Amount !! Name
SELECT Amount AS total FROM Orders ORDER BY to| => total !! Amount
SELECT * FROM Orders ORDER BY Amount | => ASC, DESC, LIMIT, NULLS FIRST !! WHERE, Amount, GROUP BY
SELECT * FROM Orders ORDER BY Amount D| => DESC
SELECT * FROM Orders ORDER BY Amount DESC | => LIMIT, NULLS LAST !! ASC, DESC
SELECT * FROM Orders ORDER BY Amount DESC, | => Status !! ASC
SELECT * FROM Orders o ORDER BY o.| => Amount !! Name
SELECT Amount AS a1 FROM Orders UNION SELECT Quantity FROM [Order Items] ORDER BY | => a1 !! Quantity, Status
SELECT Amount AS a1 FROM Orders UNION (SELECT Quantity AS q FROM [Order Items] ORDER BY |) => q, Quantity !! a1, Status
SELECT Amount AS a1 FROM Orders UNION SELECT Quantity AS q FROM [Order Items] GROUP BY | => q, Quantity !! a1, Status
SELECT Amount AS a1 FROM Orders UNION SELECT Quantity AS q FROM [Order Items] GROUP BY q HAVING | => q, Quantity !! a1
(SELECT Amount AS a1 FROM Orders) UNION (SELECT Quantity FROM [Order Items]) ORDER BY | => a1 !! Quantity, Status
SELECT * FROM Orders LIMIT 10 | => OFFSET !! WHERE, Amount
SELECT * FROM Orders | LIMIT 10 => WHERE, ORDER BY
SELECT * FROM Orders UNION | => ALL, SELECT !! WHERE, Amount
SELECT * FROM Orders UNION ALL | => SELECT !! WHERE, ALL
SELECT * FROM Orders UN| => UNION, UNION ALL
SELECT * FROM Orders INTERSECT | => SELECT
SELECT * FROM Orders EXCEPT | => SELECT
SELECT Amount FROM Orders UNION ALL SELECT Quantity FROM | => Order Items, Orders
SELECT Amount FROM Orders UNION ALL SELECT i.| FROM [Order Items] i => Quantity !! Amount
SELECT * FROM Orders o WHERE o.Amount = 1 AND o.| => Status
SELECT * FROM Orders o WHERE⏎  o.| => Amount
SELECT * FROM Orders o WHERE o.Amount > AND o.| => Status
SELECT * FROM Orders o WHERE = o.| => Status
SELECT * FROM Orders o WHERE o.Amount = = | => Status
SELECT * FROM Orders o WHERE ) AND o.| => Status
SELECT , FROM Orders o WHERE o.| => Status
SELECT FROM Orders o WHERE o.| => Status
SELECT * FROM Orders o WHERE [Status = 'x' AND o.| => Amount
SELECT * FROM Orders o WHERE "Status = 'x' AND o.| => Amount
SELECT SUM( FROM Orders o WHERE o.| => Amount
SELECT SUM(1 FROM (SELECT Amount AS a1 FROM Orders) d WHERE d.| => a1
SELECT SUM(1 FROM Orders o WHERE (o.Amount > 1 AND o.| => Status
SELECT CASE WHEN FROM Orders o WHERE o.| => Amount
FROM Orders o WHERE o.| => Amount
FROM Orders WHERE | => Amount
SELECT (SELECT (SELECT o.| FROM Orders o => Amount
SELECT * FROM Orders o; SELECT | FROM Customers => Name !! Amount
`;

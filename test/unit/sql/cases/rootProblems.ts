/**
 * Statements with syntax errors and unknown names, and the problems that are reported: not those that others cause. Each
 * problem has its code and the text that it is about.
 */
export const ROOT_PROBLEMS = `
SELECT Nope, FROM Orders => unknown-column Nope, syntax ,
SELECT Nope, Amount, FROM Orders WHERE Nope2 = 1 => unknown-column Nope, syntax ,
SELECT (Nope, Amount FROM Orders => unknown-column Nope, syntax Amount
SELECT Amount Nope Nope2 FROM Orders => syntax Nope
SELECT Amount, Nope Nope2 x FROM Orders => syntax Nope2
SELECT Nope FROM Orders WHERE => unknown-column Nope, syntax WHERE
SELECT Nope FROM Orders WHERE Nope2 = => unknown-column Nope, syntax =
SELECT Nope FROM Orders WHERE Nope2 = AND Nope3 = 1 => unknown-column Nope, syntax =
SELECT Nope FROM Orders GROUP Nope2 => unknown-column Nope, syntax GROUP
SELECT Nope FROM Orders GROUP BY Nope2, => unknown-column Nope, unknown-column Nope2, syntax ,
SELECT Nope FROM Orders ORDER BY Nope2, Nope3, => unknown-column Nope, unknown-column Nope2, unknown-column Nope3, syntax ,
SELECT Nope FROM => syntax FROM
SELECT Nope FROM Orders, => syntax ,
SELECT Nope FROM Orders JOIN ON Nope2 = 1 => syntax JOIN
SELECT Nope FROM Orders JOIN Customers USING Nope2 => syntax USING
SELECT Nope FROM Orders JOIN Customers c Nope2 WHERE Nope3 = 1 => syntax c
SELECT x.Nope FROM Orders o JOIN WHERE y.Nope2 = 1 => syntax JOIN
SELECT o.Nope FROM Orders o JOIN WHERE o.Nope2 = 1 => syntax JOIN
SELECT Amount AS, Status FROM Orders ORDER BY total => syntax AS
SELECT Amount AS , Status FROM Orders WHERE total = 1 => syntax AS
SELECT Amount AS, Status FROM Orders ORDER BY o.total => syntax AS
SELECT Amount AS x, Status y z FROM Orders HAVING x = 1 AND w = 2 => syntax y
SELECT Nope FROM Orders WHERE (SELECT Nope2 FROM Customers WHERE => unknown-column Nope, unknown-column Nope2, syntax WHERE
SELECT Nope FROM Orders WHERE EXISTS (SELECT Nope2 FROM Customers WHERE Nope3 =) AND Nope4 = 1 => unknown-column Nope, unknown-column Nope2, syntax =
SELECT (SELECT Nope FROM) FROM Orders WHERE Nope2 = 1 => syntax FROM
SELECT (SELECT Nope FROM Customers WHERE) FROM Orders WHERE Nope2 = 1 => unknown-column Nope, syntax WHERE
SELECT d.Nope FROM (SELECT FROM Orders) d => syntax SELECT
SELECT d.Nope FROM (SELECT Amount FROM Orders WHERE) d => syntax WHERE
SELECT d.Nope FROM (SELECT Amount, FROM Orders) d => syntax ,
WITH c AS (SELECT FROM Orders) SELECT Nope FROM c => syntax SELECT, unknown-column Nope
WITH c AS (SELECT Amount FROM Orders) SELECT Nope FROM c WHERE => unknown-column Nope, syntax WHERE
WITH c AS SELECT Amount FROM Orders) SELECT Nope FROM c => syntax AS, unknown-column Nope
SELECT Nope FROM Orders; SELECT Nope2 FROM Customers WHERE => unknown-column Nope, unknown-column Nope2, syntax WHERE
SELECT Nope FROM Orders WHERE; SELECT Nope2 FROM Customers => unknown-column Nope, syntax WHERE, unknown-column Nope2
SELECT Nope FROM Orders) WHERE Nope2 = 1 => syntax )
SELECT Nope FROM Orders WHERE Amount = 1 Nope2 Nope3 AND Nope4 = 1 => unknown-column Nope, syntax Nope2
SELECT Nope) FROM Orders => syntax )
SELECT SUM(Nope FROM Orders => syntax Nope
SELECT SUM(Nope, FROM Orders WHERE Nope2 = 1 => unknown-column Nope, syntax ,
SELECT CASE WHEN Nope THEN Nope2 FROM Orders => syntax Nope2
SELECT CASE WHEN Nope = 1 Nope2 END, Nope3 FROM Orders => syntax 1, unknown-column Nope3
SELECT CAST(Nope Nope2) FROM Orders => syntax Nope
SELECT [Nope FROM Orders => syntax [Nope
SELECT [Amount FROM Orders WHERE Nope = 1 => syntax [Amount
SELECT 'a FROM Orders WHERE Nope = 1 => syntax 'a
SELECT Nope FROM Orders o, Customers o WHERE => unknown-column Nope, duplicate-alias o, syntax WHERE
SELECT Amount AS a, Status AS a, FROM Orders => duplicate-alias a, syntax ,
SELECT Amount AS a, Status AS a FROM Orders WHERE => duplicate-alias a, syntax WHERE
SELECT , Amount AS a, Status AS a FROM Orders => syntax SELECT
SELECT Nope, Nope2 => unknown-column Nope
SELECT Nope, (SELECT Nope2) => unknown-column Nope, unknown-column Nope2
SELECT Nope WHERE Nope2 = 1 => unknown-column Nope
SELECT Nope, FROM WHERE Nope2 = 1 => syntax ,
SELECT x.Nope, y.Nope FROM Nowhere => unknown-table Nowhere
SELECT x.Nope, Nowhere.Nope2 FROM Nowhere => unknown-table Nowhere
SELECT x.Nope FROM Nowhere n, Orders o => unknown-table x, unknown-table Nowhere
SELECT x.Nope FROM Orders o, (SELECT 1 AS y) d => unknown-table x
SELECT d.Nope FROM (SELECT Zip FROM Orders) d => unknown-column Zip
SELECT Nope FROM (SELECT Zip FROM Orders) d => unknown-column Zip
SELECT Nope, d.Nope FROM (SELECT Zip FROM Orders) d, Orders o => unknown-column Zip
SELECT o.Nope FROM (SELECT Zip FROM Orders) d, Orders o => unknown-column Nope, unknown-column Zip
SELECT Nope FROM Orders UNION SELECT => unknown-column Nope, syntax SELECT
SELECT Nope FROM Orders UNION SELECT Nope2 FROM Customers WHERE => unknown-column Nope, unknown-column Nope2, syntax WHERE
SELECT FROM Orders UNION SELECT Nope2 FROM Customers => syntax SELECT, unknown-column Nope2
SELECT Amount FROM Orders LIMIT Nope, => unknown-column Nope, syntax ,
FROM Orders WHERE Nope = 1 => syntax FROM
Nope FROM Orders => syntax Nope
SELECT Amount FROM Orders WHERE Amount IN Nope => syntax IN
SELECT Amount FROM Orders WHERE Amount BETWEEN Nope => syntax Nope
SELECT Amount FROM Orders WHERE Amount = = Nope => syntax =
SELECT Amount FROM Orders o JOIN Customers c c.Nope = o.Nope2 => syntax c
SELECT Amount /* FROM Orders WHERE Nope = 1 => syntax /* FROM Orders WHERE Nope = 1
SELECT Amount FROM Orders WHERE ) AND Nope = 1 ORDER BY Nope2 => syntax WHERE, unknown-column Nope2
SELECT Amount FROM Orders ORDER BY Nope GROUP BY Nope2 => unknown-column Nope, syntax GROUP
SELECT Amount FROM Orders WHERE Amount = 1 JOIN Customers c ON Nope = 1 => syntax JOIN
`;

/** Expressions of a column of Orders, and the problems that are reported, in the same form. */
export const EXPRESSION_ROOT_PROBLEMS = `
[Nope] + => syntax +
Sum([Nope] => syntax [Nope]
[Nope] FROM Orders => unknown-column [Nope], syntax FROM
SELECT Nope FROM Orders => syntax FROM
[Amount] [Nope] => syntax [Nope]
Lookup([Nope], [a] => unknown-table [Nope], syntax [a]
Lookup([Customers], [Nope], => unknown-column [Nope], syntax ,
[Nope] AND (  => syntax (
CASE WHEN [Nope] THEN [Nope2] => syntax [Nope2]
[Nope] = 'a => syntax 'a
[Amount] = [Nope => syntax [Nope
`;

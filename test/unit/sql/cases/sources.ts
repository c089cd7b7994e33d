/** FROM, joins and what follows them; `readCases` in model.ts describes the format. */
export const SOURCES = `
SELECT * FROM | => Orders, Customers, Order Items, Products, orders.csv !! Amount, Name, SELECT, WHERE, SUM
SELECT * FROM |⏎ => Orders, Customers !! WHERE
SELECT * FROM Or| => Orders, Order Items, orders.csv !! Products
SELECT * FROM or| => Orders, Order Items !! Products
SELECT * FROM [| => Orders, Order Items !! SELECT, WHERE, Amount
SELECT * FROM [Or| => Orders, Order Items !! Products
SELECT * FROM [Or|] => Orders, Order Items !! Products
SELECT * FROM [Order | => Order Items !! Orders
SELECT * FROM [Order It|] o WHERE o.Quantity > 1 => Order Items
SELECT * FROM "Or| => Orders, Order Items !! Products
SELECT * FROM "Or|" => Orders, Order Items
SELECT * FROM \`Or| => Orders, Order Items
SELECT * FROM \`Or|\` => Orders, Order Items
SELECT * FROM \`| => Orders, Order Items, Customers !! SELECT
SELECT * FROM "| => Orders, Order Items, Customers !! SELECT
SELECT * FROM Orders, | => Customers, Order Items !! Amount
SELECT * FROM Orders o, | => Customers !! Amount, WHERE
SELECT * FROM Orders o, Cust| c => Customers
SELECT * FROM Orders o JOIN | => Customers, Order Items, Products !! Amount, ON
SELECT * FROM Orders o JOIN | ON o.[Order Id] = 1 => Customers
SELECT * FROM Orders o LEFT JOIN | => Customers !! Amount
SELECT * FROM Orders o LEFT OUTER JOIN | => Customers
SELECT * FROM Orders o RIGHT JOIN [| => Customers !! Amount
SELECT * FROM Orders o FULL JOIN Cu| => Customers !! Orders
SELECT * FROM Orders o CROSS JOIN | => Customers
SELECT * FROM Orders o NATURAL JOIN | => Customers
SELECT * FROM Orders o INNER JOIN | => Customers
SELECT * FROM (|) => Orders, SELECT !! Amount
SELECT * FROM (| => Orders, SELECT
SELECT * FROM (Orders o JOIN | => Customers
SELECT * FROM (SELECT * FROM |) d => Orders
SELECT * FROM (SELECT * FROM | => Orders !! SELECT
SELECT * FROM (SELECT Amount FROM Ord|) d => Orders
SELECT * FROM Orders | => WHERE, JOIN, LEFT JOIN, INNER JOIN, CROSS JOIN, GROUP BY, ORDER BY, AS, UNION, UNION ALL, LIMIT !! SELECT, Orders, Amount, FROM, ON, THEN
SELECT * FROM Orders o | => WHERE, JOIN, LEFT JOIN, GROUP BY, ORDER BY !! SELECT, Amount, ON, AS
SELECT * FROM Orders o W| => WHERE !! JOIN, Amount
SELECT * FROM Orders o wh| => WHERE
SELECT * FROM Orders o LE| => LEFT JOIN
SELECT * FROM Orders o LEFT | => JOIN, OUTER JOIN !! WHERE, Orders, ON
SELECT * FROM Orders o LEFT OUTER | => JOIN !! WHERE, Orders
SELECT * FROM Orders o INNER | => JOIN !! WHERE
SELECT * FROM Orders o CROSS | => JOIN !! WHERE, OUTER JOIN
SELECT * FROM Orders o NATURAL | => JOIN
SELECT * FROM Orders o JO| Customers c ON 1 = 1 => JOIN
SELECT * FROM Orders JO| Customers => JOIN
SELECT * FROM Orders o JOIN Customers | => ON, USING, AS !! Amount
SELECT * FROM Orders o JOIN Customers c | => ON, USING, JOIN !! Amount, SELECT
SELECT * FROM Orders o JOIN Customers c O| => ON
SELECT * FROM Orders o CROSS JOIN Customers c | => WHERE, JOIN !! ON, USING
SELECT * FROM Orders o NATURAL JOIN Customers c | => WHERE !! ON, USING
SELECT * FROM Orders o JOIN Customers c ON | => Customer Id = Customer Id, Amount, Name, o, c !! Quantity, SELECT, WHERE
SELECT * FROM Orders o JOIN [Order Items] i ON | => Order Id = Order Id, Quantity !! Country
SELECT * FROM Orders o JOIN Customers c ON o.| => Customer Id, Amount !! Name, Country
SELECT * FROM Orders o JOIN Customers c ON c.| => Customer Id, Name !! Amount
SELECT * FROM Orders o JOIN Customers c ON o.[Customer Id] = | => Name, c !! WHERE
SELECT * FROM Orders o JOIN Customers c ON o.[Customer Id] = c.| => Customer Id, Name !! Amount, Status
SELECT * FROM Orders o JOIN Customers c ON o.[Customer Id] = c.[| => Customer Id, Name !! Amount
SELECT * FROM Orders o JOIN Customers c ON o.[Customer Id] = c.[Customer Id] | => AND, OR, WHERE, JOIN, GROUP BY !! SELECT, Amount, ON
SELECT * FROM Orders o JOIN Customers c ON o.[Customer Id] = c.[Customer Id] AND | => Amount, Name, NOT !! WHERE, Customer Id = Customer Id
SELECT * FROM Orders o JOIN Customers c USING (| => Customer Id !! Amount, Name, Order Id
SELECT * FROM Orders o JOIN Customers c USING ([| => Customer Id !! Amount
SELECT * FROM Orders o JOIN Customers c ON c.[Customer Id] = o.[Customer Id] JOIN [Order Items] i ON i.| => Quantity !! Name, Amount
SELECT * FROM Orders o JOIN Customers c ON o.| JOIN Products p ON p.Name = c.Name => Amount !! Name, Category
SELECT * FROM Orders o JOIN Customers c ON o. JOIN Products p ON p.| => Category !! Amount, Country
SELECT * FROM Orders AS | !! Orders, Amount, WHERE, JOIN
SELECT * FROM Orders AS o | => WHERE, JOIN !! AS
SELECT * FROM orders.csv | => WHERE, JOIN
SELECT * FROM [orders.csv] f WHERE f.| => id, total, Date !! Amount
SELECT * FROM orders.csv WHERE | => id, total !! Amount
SELECT * FROM Orders o JOIN (SELECT | FROM Customers) c ON 1 = 1 => Name, Country !! Amount, o
SELECT * FROM Orders o JOIN (SELECT Name nm, [Customer Id] FROM Customers) c ON c.| => nm, Customer Id !! Country, Amount
SELECT * FROM Orders o JOIN (SELECT Name nm FROM Customers) c ON | => nm, Amount !! Country
SELECT * FROM (SELECT Amount, [Order Id] AS oid FROM Orders) d WHERE d.| => Amount, oid !! Order Id, Status
SELECT * FROM (SELECT * FROM Orders) d WHERE d.| => Amount, Order Id, Status !! Name
SELECT * FROM (SELECT o.*, c.Name FROM Orders o, Customers c) d WHERE d.| => Amount, Name !! Country
SELECT * FROM (SELECT Amount FROM Orders) d (x) WHERE d.| => x !! Amount
SELECT * FROM (SELECT Amount FROM Orders) | => AS, WHERE, JOIN
SELECT d.| FROM (SELECT Amount a1, Status FROM Orders) d => a1, Status !! Amount
SELECT * FROM (SELECT Amount FROM Orders UNION ALL SELECT Quantity FROM [Order Items]) d WHERE d.| => Amount !! Quantity
WITH a AS (SELECT 1 AS x), b AS (SELECT 1 FROM |), c AS (SELECT 2) SELECT 1 => a !! b, c
WITH a AS (SELECT 1 AS x), b AS (SELECT | FROM a) SELECT 1 => x
`;

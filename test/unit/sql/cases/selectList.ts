/** The select list, its aliases and stars; `readCases` in model.ts describes the format. */
export const SELECT_LIST = `
| => SELECT, WITH !! FROM, WHERE, Orders, SUM, AND
 | => SELECT, WITH !! FROM
S| => SELECT !! WITH
sel| => SELECT
SELECT| => SELECT
SELECT | => DISTINCT, SUM, CASE, LOOKUP !! FROM, WHERE, Amount, Orders, SELECT
SELECT | FROM Orders => Order Id, Customer Id, Amount, Margin, CASE, SUM, DISTINCT, Orders !! Name, Quantity, WHERE, FROM
SELECT |⏎FROM Orders => Amount !! Name
SELECT A| FROM Orders => Amount, ABS !! Status
SELECT am| FROM Orders => Amount
SELECT o| FROM Orders o => o, Order Id, Order Date !! Amount
SELECT [| FROM Orders => Order Id, Amount !! SUM, CASE, Name
SELECT [Or| FROM Orders => Order Id, Order Date !! Amount
SELECT [Or|] FROM Orders => Order Id, Order Date !! Amount
SELECT [Order | FROM Orders => Order Id, Order Date !! Amount
SELECT "Or| FROM Orders => Order Id !! Amount
SELECT "Or|" FROM Orders => Order Id
SELECT \`Or| FROM Orders => Order Id !! Amount
SELECT \`Or|\` FROM Orders => Order Id
SELECT "| FROM Orders => Order Id, Amount !! SUM
SELECT Amount, | FROM Orders => Order Id, Status !! Name, FROM
SELECT Amount, |⏎FROM Orders⏎WHERE Amount > 1 => Status
SELECT Amount, | => SUM, CASE !! FROM, Amount
SELECT Amount,| FROM Orders => Status
SELECT Amount, St|, [Order Id] FROM Orders => Status !! Amount
SELECT Amount | FROM Orders => AS, FROM !! Amount, Status, WHERE, Orders
SELECT Amount | => FROM, AS, UNION !! WHERE, Amount, GROUP BY
SELECT Amount F| => FROM
SELECT Amount FR| Orders => FROM
SELECT Amount f| Orders o WHERE o.Amount > 1 => FROM
SELECT Amount AS | FROM Orders !! Amount, FROM, SUM
SELECT Amount AS tot| FROM Orders !! Amount, FROM, SUM
SELECT Amount AS total | => FROM !! AS, WHERE
SELECT Amount total | FROM Orders => FROM !! AS, Amount
SELECT * | => FROM !! AND, AS, Amount
SELECT * | FROM Orders => FROM !! AND, AS, IN
SELECT *| FROM Orders => * !! AND
SELECT o.*| FROM Orders o => * !! AND
SELECT DISTINCT | FROM Orders => Amount, CASE !! Name, DISTINCT
SELECT DISTINCT Amount, | FROM Orders => Status !! DISTINCT
SELECT TOP 10 | FROM Orders => Amount !! Name
SELECT o.| FROM Orders o => Amount, Order Id, * !! Name, SUM, CASE, o
SELECT o.|, c.Name FROM Orders o, Customers c => Amount, Status !! Name
SELECT o.Am| FROM Orders o => Amount !! Status
SELECT o.Am|ount FROM Orders o => Amount
SELECT o.[| FROM Orders o => Order Id, Amount !! Name
SELECT o.[Or| FROM Orders o => Order Id, Order Date !! Amount
SELECT o.[Or|] FROM Orders o => Order Id
SELECT o.[Or|], c.Name FROM Orders o, Customers c => Order Id !! Name
SELECT o."Or| FROM Orders o => Order Id
SELECT o."Or|" FROM Orders o => Order Id
SELECT o.\`| FROM Orders o => Order Id, Amount
SELECT Orders.| FROM Orders => Amount !! Name
SELECT [Orders].| FROM Orders => Amount !! Name
SELECT orders.| FROM Orders => Amount
SELECT ORDERS.[Or| FROM Orders => Order Id
SELECT Orders.| FROM Orders o !! Amount, Name
SELECT Customers.| FROM Orders o !! Amount, Name
SELECT Orders.| => Amount, Order Id !! Name
SELECT x.| FROM Orders o !! Amount, Name
SELECT [Order Items].| FROM [Order Items] => Quantity !! Amount
SELECT "Order Items".| FROM [Order Items] => Quantity
SELECT [orders.csv].| FROM [orders.csv] => id, total, a"b !! Amount
SELECT orders.csv.| FROM orders.csv => id, total !! Amount
SELECT p.| FROM Products p => Cost [USD], Größe, Name
SELECT p.[Cost | FROM Products p => Cost [USD] !! Name
SELECT Gr| FROM Products => Größe
SELECT o.|⏎FROM Orders o⏎JOIN Customers c ON c.Name = o.Status => Amount !! Name
SELECT o.⏎, c.| FROM Orders o, Customers c => Name !! Amount
SELECT o., c.[| FROM Orders o, Customers c => Name !! Amount
SELECT o.Amount + | FROM Orders o => Amount, Status, CASE !! FROM, Name
SELECT o.Amount + o.| FROM Orders o => Amount !! Name
SELECT 'a' || | FROM Orders => Status !! FROM
SELECT o.Status || o.| FROM Orders o => Status
SELECT -| FROM Orders => Amount
SELECT (| FROM Orders => Amount, SELECT, CASE
SELECT (|) FROM Orders => Amount, SELECT !! FROM
SELECT (Amount | FROM Orders => AND, IS NULL !! FROM, AS
SELECT (Amount + 1) | FROM Orders => AS, FROM !! Amount
SELECT (Amount + 1) * | FROM Orders => Amount
SELECT Amount, (SELECT | FROM Customers c) FROM Orders o => Name, Amount, DISTINCT !! Quantity
SELECT (SELECT MAX(c.|) FROM Customers c) FROM Orders o => Name, Country !! Amount
SELECT (SELECT Name FROM Customers c WHERE c.[Customer Id] = o.|) FROM Orders o => Customer Id, Amount !! Name, Country
SELECT (SELECT Name FROM Customers c WHERE c.[Customer Id] = |) FROM Orders o => Amount, Name, o, c !! Quantity
SELECT (SELECT Name FROM | WHERE 1 = 1) FROM Orders o => Customers
SELECT (SELECT Name FROM Customers c |) FROM Orders o => WHERE, JOIN !! FROM
SELECT o.Amount FROM Orders o UNION ALL SELECT | FROM Customers => Name !! Amount, o
SELECT o.Amount FROM Orders o UNION ALL SELECT c.| FROM Customers c => Name !! Amount
SELECT o.| FROM Orders o UNION ALL SELECT c.Name FROM Customers c => Amount !! Name
SELECT | FROM Orders o JOIN Customers c ON 1 = 1 => Amount, Name, Customer Id, o, c !! Quantity
SELECT Date FROM [orders.csv] f WHERE f.[a"| => a"b !! x\`y
`;

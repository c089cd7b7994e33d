/** Invalid statements. Each error is marked in the text, and the reasons follow in order; `⏎` is a line break. */
export const SYNTAX_ERRORS = `
SELECT 1 FROM a JOIN b ‹USING› => expected (
SELECT 1 FROM a JOIN b ‹USING› x => expected (
SELECT 1 FROM a JOIN b USING ‹(›) => expected-name
SELECT 1 FROM a JOIN b USING (‹x› => expected )
SELECT 1 FROM a JOIN b USING (x‹,›) => expected-name
SELECT 1 FROM a JOIN b USING (‹x› y) => expected )
SELECT 1 FROM a ‹ON› 1 = 1 => unexpected ON
SELECT 1 FROM a JOIN ‹b› c.x = a.x => missing-on ON
SELECT 1 FROM a JOIN ‹b› NOT a.x = 1 => missing-on ON
SELECT 1 FROM a JOIN b JOIN c ON 1 = 1 ON 2 = 2 ‹ON› 3 = 3 => unexpected ON
SELECT 1 FROM a ‹b› c => missing-join JOIN
SELECT 1 FROM a ‹x›. y JOIN b ON 1 = 1 => unexpected x
SELECT 1 FROM a AS x‹.› y JOIN b ON 1 = 1 => unexpected .
SELECT 1 FROM f(‹1› => expected )
SELECT (SELECT MAX(q) FROM ‹b› FROM a => expected )
SELECT SUM(‹x› FROM (SELECT 1 AS x) d => expected )
SELECT (‹x› 1 LEFT(y, 1)) FROM a => expected )
SELECT 1 FROM a WHERE x > 1‹,› ‹y› => unexpected ,, unexpected y
SELECT 1 FROM a GROUP BY x HAVING x > 1‹,› ‹y› => unexpected ,, unexpected y
SELECT 1 FROM f(1) ‹AS› => expected-name
SELECT 1 FROM a‹,› , b => expected-table
‹WITH› => expected-name
WITH ‹c› => expected AS
WITH c ‹AS› => expected (
WITH c AS ‹(› => expected-select SELECT
WITH c AS (SELECT ‹1› => expected )
WITH c AS (SELECT 1‹)› => expected-select SELECT
WITH c AS (SELECT 1)‹,› => expected-name
WITH c AS (SELECT 1)‹,› SELECT 1 => expected-name
WITH c AS (SELECT 1‹)› d ‹AS› ‹(›SELECT 2‹)› SELECT 1 => unexpected ), unexpected AS, unexpected (, expected )
WITH c (‹x› AS (SELECT 1‹)› SELECT ‹1› => expected ), expected AS, expected )
WITH c ‹(›) AS (SELECT 1) SELECT 1 => expected-name
WITH c (x‹)› (SELECT 1) SELECT 1 => expected AS
WITH ‹RECURSIVE› SELECT 1 => expected-name
‹VALUES› => expected-select SELECT
‹VALUES› 1 => expected-select SELECT, missing-comma ,
VALUES (‹1› => expected )
VALUES (1)‹,› => expected-expression
VALUES (1) ‹(›2) => unexpected (
SELECT 1 ‹LIMIT› => expected-expression
SELECT 1 LIMIT 1‹,› => expected-expression
SELECT 1 LIMIT 1 ‹2› => unexpected 2
SELECT 1 FETCH ‹FIRST› => expected-expression
SELECT 1 FETCH NEXT 5 ‹ROWS› => expected ONLY
SELECT TOP (‹5› ‹a› => expected ), expected-expression
SELECT TOP 5 ‹PERCENT› => expected-expression
SELECT ‹DISTINCT› ON => expected-expression
SELECT ‹DISTINCT› ON ‹(›a FROM t => expected-expression, unexpected (
SELECT SUM(a) ‹OVER› => expected-name
SELECT SUM(a) OVER ‹(› => expected )
SELECT SUM(a) OVER (‹PARTITION› => expected BY
SELECT SUM(a) OVER (‹PARTITION› a) => expected BY
SELECT SUM(a) OVER (PARTITION ‹BY›) => expected-expression
SELECT SUM(a) OVER (PARTITION BY a‹,›) => expected-expression
SELECT SUM(a) OVER (‹ORDER› a) => expected BY
SELECT SUM(a) OVER (ORDER ‹BY›) => expected-expression
SELECT SUM(a) OVER (ORDER BY a ‹ROWS›) => expected-expression
SELECT SUM(a) OVER (ORDER BY a ROWS BETWEEN 1 ‹PRECEDING›) => expected AND
SELECT SUM(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING ‹AND›) => expected-expression
SELECT SUM(a) OVER (ORDER BY a ROWS BETWEEN ‹1› AND ‹2›) => expected PRECEDING, expected PRECEDING
SELECT SUM(a) OVER (ORDER BY a RANGE ‹1›) => expected PRECEDING
SELECT SUM(a) OVER (ROWS ‹CURRENT›) => expected ROW
SELECT SUM(a) OVER (ROWS ‹UNBOUNDED›) => expected PRECEDING
SELECT SUM(a) OVER (‹w› => expected )
SELECT SUM(a) FILTER ‹(›a = 1) => expected WHERE
SELECT SUM(a) FILTER (‹WHERE›) => expected-expression
SELECT SUM(a) WITHIN GROUP ‹(›a) => expected )
SELECT SUM(‹a› b) => expected )
SELECT SUM(‹a› 1) => missing-comma ,
SELECT SUM(‹a› b.c) => missing-comma ,
SELECT SUM(‹a› f(1)) => missing-comma ,
SELECT SUM(a‹,›, b) => expected-expression
SELECT SUM(‹a› ‹ORDER›) => expected ), expected BY
SELECT SUM(‹a› => expected )
SELECT SUM(SELECT ‹1› => expected )
SELECT COUNT(‹*› => expected )
SELECT a‹.›.b FROM t => expected-name
SELECT a‹.› . b FROM t => expected-name
SELECT a FROM t WHERE a = 1 ‹b› = 2 => unexpected b
SELECT a FROM t WHERE a = 1 ‹2› => unexpected 2
SELECT a FROM t WHERE a = 1 ‹(›2) => unexpected (
SELECT a FROM t WHERE a ‹IN› 1 => expected (
SELECT a FROM t WHERE a ‹IN› b => expected (
SELECT a FROM t WHERE a ‹NOT› => expected IN
SELECT a FROM t WHERE a ‹NOT› 1 => expected IN
SELECT a FROM t WHERE a BETWEEN ‹1› OR 2 => expected AND
SELECT a FROM t WHERE a ‹BETWEEN› AND 2 => expected-expression
SELECT a FROM t WHERE a LIKE 'x' ‹ESCAPE› => expected-expression
SELECT a FROM t ‹WHERE› WHERE a = 1 => expected-expression
SELECT a FROM t WHERE a = 1 ‹WHERE› b = 1 => unexpected WHERE
SELECT a FROM t WHERE a = 1 ‹FROM› u => unexpected FROM
SELECT a FROM t ‹GROUP› a => expected BY
SELECT a FROM t GROUP BY a ‹b› => unexpected b
SELECT a FROM t GROUP BY a ‹WHERE› a = 1 => unexpected WHERE
SELECT a FROM t ‹ORDER› a => expected BY
SELECT a FROM t ORDER BY a ASC ‹DESC› => unexpected DESC
SELECT a FROM t ORDER BY a ‹b› => unexpected b
SELECT a FROM t ORDER BY a ‹GROUP› BY a => unexpected GROUP, expected-select SELECT
SELECT a FROM t ‹HAVING› WHERE a = 1 => expected-expression
SELECT a ‹a› b FROM t => missing-comma ,
SELECT a b, c ‹d› e FROM t => missing-comma ,
SELECT a ‹AS› FROM t => expected-name
SELECT a ‹AS› 1 FROM t => expected-name
SELECT a ‹AS› AS b FROM t => expected-name
SELECT ‹'a'› 'b' c FROM t => missing-comma ,
SELECT *‹,› FROM t => expected-expression
SELECT a.‹*› b c FROM t => missing-comma ,
SELECT a FROM t ‹SELECT› 2 => unexpected SELECT
SELECT a FROM t‹)› => unexpected )
SELECT (‹a› FROM t => expected )
SELECT ((a‹)› FROM t => expected )
SELECT (a, ‹b› FROM t => expected )
SELECT (‹a› b) FROM t => expected )
SELECT a FROM (‹t› => expected )
SELECT a FROM (t ‹x› => expected )
SELECT a FROM (SELECT 1 FROM ‹t› => expected )
SELECT a FROM ((SELECT 1) ‹d› => expected )
‹SELECT› EXISTS 1 => expected-expression
‹SELECT› EXISTS => expected-expression
SELECT ‹CASE› END => expected-expression
SELECT CASE WHEN a THEN b ‹WHEN› END => expected-expression
SELECT CASE ‹a› b ‹WHEN› 1 ‹THEN› 2 ‹END› => expected WHEN, unexpected WHEN, unexpected THEN, unexpected END
SELECT CASE WHEN ‹a› ‹b› THEN 2 ‹END› => expected THEN, expected END, unexpected END
SELECT CASE WHEN a THEN ‹2› 3 ‹END› => expected END, unexpected END
SELECT ‹NOT› => expected-expression
SELECT CAST(‹a›) => expected AS
SELECT CAST a ‹AS› INT => unexpected AS
SELECT CAST(a ‹AS›) => expected-name
SELECT CAST(a AS DECIMAL(1‹)› => expected )
SELECT CAST(a AS DECIMAL(1, 2)) ‹b› c => missing-comma ,
SELECT EXTRACT(‹YEAR› a) => expected )
SELECT EXTRACT‹(›FROM a) => expected-expression
SELECT TRIM(LEADING ‹'x'› a) => expected )
SELECT TRIM(BOTH ‹FROM›) => expected-expression
SELECT a‹::› => expected-name
SELECT 1 ‹UNION› 2 => expected-select SELECT
SELECT 1 UNION ‹ALL› ‹ALL› SELECT 2 => expected-select SELECT, expected-expression
SELECT 1 UNION (SELECT ‹2› => expected )
SELECT 1 ORDER BY 1 ‹UNION› SELECT 2 => unexpected UNION
(SELECT ‹1› => expected )
(SELECT 1) ‹(›SELECT 2) => unexpected (
‹INSERT› ‹INTO› t => expected-select SELECT, missing-comma ,
SELECT a ‹!› b => unexpected !
SELECT ‹a› b.c FROM t => missing-comma ,
SELECT ‹1.2›.3 => missing-comma ,
‹SELECT› } => expected-expression
SELECT a FROM t WHERE a ‹=› {‹x›‹}› => expected-expression, unexpected x, unexpected }
SELECT a FROM t WINDOW w ‹AS› => expected-name
SELECT a FROM t WINDOW w AS (PARTITION BY ‹a› => expected )
SELECT a FROM t WINDOW w AS (), ‹v› => expected AS
SELECT a FROM t QUALIFY ‹(› => expected-expression
SELECT a FROM t OUTER ‹APPLY› => expected-table
SELECT a FROM t CROSS ‹APPLY› => expected-table
SELECT a FROM t ‹NATURAL› => expected JOIN
SELECT a FROM t ‹LEFT› u ON 1 = 1 => expected JOIN
SELECT a FROM t ‹JOIN› JOIN u ON 1 = 1 => expected-table
SELECT a ‹[b c› FROM t => unclosed-quote [
SELECT a ‹"b c› FROM t => unclosed-quote "
SELECT a ‹/* b› => unclosed-comment /*
SELECT ‹'› FROM t => unclosed-string '
SELECT a FROM t ‹AS› ‹(›x => unexpected AS, unexpected (
SELECT a FROM t x (‹y› => expected )
SELECT a FROM t x (‹y› z) => expected )
‹FROM› a ‹FROM› b => expected-select SELECT, unexpected FROM
‹FROM› a WHERE 1 = 1 ‹FROM› b => expected-select SELECT, unexpected FROM
SELECT 1 WHERE 1 = 1 ‹FROM› b => unexpected FROM
SELECT 1 FROM a HAVING 1 = 1 ‹GROUP› BY a => unexpected GROUP
SELECT 1 FROM a HAVING 1 = 1 ‹HAVING› 2 = 2 => unexpected HAVING
SELECT 1 FROM a GROUP BY a ‹GROUP› BY b => unexpected GROUP
SELECT 1 FROM a WINDOW w AS () ‹WINDOW› v AS () => unexpected WINDOW
SELECT 1 FROM a QUALIFY b = 1 ‹QUALIFY› c = 2 => unexpected QUALIFY
SELECT o‹.›⏎x.y FROM t o => expected-name
SELECT o‹.›⏎x ‹=› 1 FROM t o => expected-name, unexpected =
SELECT o. x.y, o‹.› FROM t o => expected-name
SELECT 1 FROM t o WHERE o‹.›⏎a = 1 AND o‹.›⏎ORDER BY 1 => expected-name, expected-name
SELECT o‹.›⏎, x FROM t o => expected-name
SELECT o‹.› ‹Order› ‹FROM› t o => expected-name, expected BY, expected-select SELECT
SELECT o.Order, o‹.›⏎‹Order› ‹FROM› t o => expected-name, expected BY, expected-select SELECT
SELECT n FROM (SELECT COUNT x‹)› FROM T) d => unexpected )
SELECT n FROM a, LATERAL (SELECT COUNT x‹)› FROM T) d => unexpected )
WITH a AS (SELECT COUNT x‹)› AS n FROM T) SELECT n FROM a => unexpected ), expected-expression
WITH a AS (SELECT 1) ‹WITH› b AS (SELECT 2) SELECT 1 => unexpected WITH
`;

/** Invalid expressions of columns, in the same form. */
export const EXPRESSION_SYNTAX_ERRORS = `
‹[› => unclosed-quote [
‹[Or› => unclosed-quote [
‹"Or› => unclosed-quote "
[Amount] ‹+›  => expected-expression
‹select›  => expected-expression
select ‹[› => unclosed-quote [
select [Status] + ' ' + ‹[St› => unclosed-quote [
select Lookup([Customers]‹,›  => expected-expression
[Amount] + ' ' + ‹[› => unclosed-quote [
Orders‹.› => expected-name
[Orders].‹[› => unclosed-quote [
Customers‹.› => expected-name
CASE ‹WHEN›  => expected-expression
CASE WHEN [Amount] > ‹1›  => expected THEN
CASE WHEN [Amount] > 1 THEN ‹'a'›  => expected END
CASE WHEN [Amount] IN ‹(›) THEN 1 END => expected-expression
IsNull‹(› => expected-expression
Lookup‹(› => expected-expression
Lookup(‹[]› => expected )
Lookup([Customers]‹,›  => expected-expression
Lookup([Customers], [Name]‹,›  => expected-expression
IsNull(Lookup([Customers], [Country], [Customer Id]‹,›  => expected-expression
1 + Lookup([Nope]‹,›  => expected-expression
ToInt([Amount]) ‹/›  => expected-expression
([Amount] ‹+›  => expected-expression
([Amount] + ‹1›  => expected )
Customers.‹[› => unclosed-quote [
‹(› => expected-expression
‹)› => expected-expression
[Amount] ‹[Status]› => unexpected [Status]
[Amount] ‹)› => unexpected )
Sum(‹[Amount]› => expected )
(SELECT ‹1› => expected )
(‹SELECT›) => expected-expression
[Amount] ‹AS› x => unexpected AS
‹CASE› => expected-expression
1 ‹2› => unexpected 2
‹'a› => unclosed-string '
‹[a› => unclosed-quote [
a‹,› => unexpected ,
a ‹FROM› t => unexpected FROM
* ‹2› => unexpected 2
a‹.› + 1 => expected-name
‹NOT› => expected-expression
Lookup([a]‹,›  => expected-expression
a IN ‹(› => expected-expression
a BETWEEN ‹1› => expected AND
f(a) ‹OVER› => expected-name
a ‹WHERE› b => unexpected WHERE
[Amount]‹,› 'a' || [Status] => unexpected ,
[Amount]‹,› 1 + [Status] => unexpected ,
[Amount]‹,› ([Status] + 1) => unexpected ,
[Amount]‹,› CASE WHEN 1 = 1 THEN 2 END => unexpected ,
[Amount]‹,› [Status] + 1 => unexpected ,
[Amount]‹,› ‹+› [Status] => unexpected ,, unexpected +
SELECT [Amount]‹,› [Status] => second-value ,
SELECT [Amount] ‹FROM› Orders => from-in-column FROM
[Amount] ‹FROM› Orders‹,› b => unexpected FROM, unexpected ,
SELECT [Amount] ‹b› => unexpected b
`;

import { DatabaseSync } from 'node:sqlite';

/**
 * Determines in SQL alone which rows a party sees, from the rules as JSON: an evaluation that shares no code with
 * `src/security` or with the sandbox. Per column a row is visible if no applicable rule is *Nothing*, none hides its
 * value, and, for users, groups and the default each on their own, one rule allows it, or all of them do
 * (platform-facts.md, 3.2, 3.3).
 */
const visibleRowsSql = `
WITH
  rule AS (SELECT key AS id, value AS doc FROM json_each(:rules)),
  share AS (
    SELECT rule.id, each.value ->> 'type' AS type, coalesce(each.value ->> 'party', each.value ->> 'partyId') AS party
    FROM rule, json_each(rule.doc, '$.shares') AS each
  ),
  named AS (
    SELECT DISTINCT id, type FROM share
    WHERE type = 'user' AND party = :user
       OR type = 'group' AND party IN (SELECT value FROM json_each(:groups))
  ),
  scope AS (SELECT id, doc ->> 'table' AS t, doc ->> 'column' AS c FROM rule),
  applied AS (
    SELECT named.id, named.type FROM named
    UNION
    SELECT share.id, share.type FROM share JOIN scope AS default_scope USING (id)
    WHERE share.type = 'default'
      AND NOT EXISTS (SELECT 1 FROM named JOIN scope AS other USING (id) WHERE other.t = default_scope.t AND other.c = default_scope.c)
  ),
  effect AS (
    SELECT applied.type, scope.t, scope.c, doc,
      CASE
        WHEN doc ->> 'allMembers' = 1 THEN 'everything'
        WHEN json_array_length(doc, '$.members') = 0 THEN 'nothing'
        WHEN doc ->> 'exclusionary' = 1 THEN 'hide'
        ELSE 'allow'
      END AS kind
    FROM applied JOIN scope USING (id) JOIN rule USING (id)
  ),
  cell AS MATERIALIZED (
    SELECT id, value, 'Region' AS c FROM value UNION ALL SELECT id, value, 'Segment' FROM value
  ),
  judged AS MATERIALIZED (
    SELECT cell.id, cell.c, effect.type, kind,
      EXISTS (SELECT 1 FROM json_each(doc, '$.members') AS member WHERE member.value = cell.value) AS listed
    FROM cell JOIN effect ON effect.t = 'Fact' AND effect.c = cell.c
  ),
  hidden AS MATERIALIZED (
    SELECT DISTINCT id, c FROM judged
    GROUP BY id, c, type
    HAVING max(kind = 'nothing')
      OR max(kind = 'hide' AND listed)
      OR (
        max(kind IN ('everything', 'allow'))
        AND CASE
          WHEN :combination = 'intersection' THEN max(kind = 'allow' AND NOT listed)
          ELSE NOT max(kind = 'everything' OR kind = 'allow' AND listed)
        END
      )
  )
SELECT id FROM fact
WHERE region NOT IN (SELECT id FROM hidden WHERE c = 'Region')
  AND segment NOT IN (SELECT id FROM hidden WHERE c = 'Segment')
ORDER BY id`;

/** A row, as the positions of its values in the list of values. */
export interface Fact {
  readonly region: number;
  readonly segment: number;
}

export interface ReferenceParty {
  readonly userId?: string;
  readonly groupIds: readonly string[];
}

/** Rows in memory, and a query for those that a party sees. */
export class SqlAccessReference implements Disposable {
  readonly #db = new DatabaseSync(':memory:');
  readonly #query;

  constructor(values: readonly (string | null)[], facts: readonly Fact[]) {
    this.#db.exec('CREATE TABLE value (id INTEGER PRIMARY KEY, value TEXT)');
    this.#db.exec('CREATE TABLE fact (id INTEGER PRIMARY KEY, region INTEGER, segment INTEGER)');
    const insertValue = this.#db.prepare('INSERT INTO value VALUES (?, ?)');
    values.forEach((value, id) => insertValue.run(id, value));
    const insertFact = this.#db.prepare('INSERT INTO fact VALUES (?, ?, ?)');
    facts.forEach(({ region, segment }, id) => insertFact.run(id, region, segment));
    this.#query = this.#db.prepare(visibleRowsSql);
  }

  /** The IDs of the rows that the party sees: their positions in `facts`. */
  findVisibleRows(
    rules: readonly unknown[],
    party: ReferenceParty,
    combination: 'union' | 'intersection',
  ): readonly number[] {
    const rows = this.#query.all({
      rules: JSON.stringify(rules),
      user: party.userId ?? null,
      groups: JSON.stringify(party.groupIds),
      combination,
    });
    return rows.map(({ id }) => Number(id));
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}

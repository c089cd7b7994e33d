import { randomUUID } from 'node:crypto';
import { constants, DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Rule } from '../../contract/rule.ts';
import type { QueryListCombination, QueryParty } from './columnAccess.ts';
import { readMeta } from './cubeMeta.ts';
import { translateSql } from './dialect.ts';
import { registerDialect } from './dialectRegistry.ts';
import { toSqlNameKey, quoteIdentifier, quoteText } from './sqlNames.ts';
import { createRuleConditions } from './ruleConditions.ts';
import { prepareSingleStatement } from './prepareStatement.ts';
import { createVisibleRowConditions } from './visibleRows.ts';

interface PartyQuery {
  /** The file of a built model. */
  readonly cubeFile: string;
  /** The rules of the datamodel of this file, and no others. */
  readonly rules: readonly Rule[];
  readonly party: QueryParty;
  readonly combination: QueryListCombination;
  /** One SELECT statement in the platform's dialect. */
  readonly sql: string;
}

/** A row of the result: values by column name. Integers beyond 2⁵³ are bigint. */
type PartyRow = Readonly<Record<string, SQLOutputValue>>;

/**
 * Restricts the connection to SELECT statements that read the views: stored tables can be read only from inside a view,
 * and schema tables not at all.
 */
function restrictToViews(db: DatabaseSync, cubeSchema: string, views: ReadonlySet<string>): void {
  const { SQLITE_OK, SQLITE_DENY } = constants;
  db.setAuthorizer((action, table, column, schema, viewName) => {
    switch (action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_FUNCTION:
      case constants.SQLITE_RECURSIVE:
        return SQLITE_OK;
      case constants.SQLITE_READ: {
        const isWithinView = views.has(toSqlNameKey(viewName ?? ''));
        const readsView = schema === 'temp' && (views.has(toSqlNameKey(table ?? '')) || isWithinView);
        // An empty column means that rows are only counted. SQLite then does not report the view.
        const readsCubeInView = schema === cubeSchema && (isWithinView || column === '');
        return readsView || readsCubeInView ? SQLITE_OK : SQLITE_DENY;
      }
      default:
        return SQLITE_DENY;
    }
  });
}

/**
 * Runs a query with the rules of a party applied. Rules narrow every query on the server and the caller cannot override
 * them (rest-api.md, "What the service does"). The cube is attached as a schema with a random name, and a TEMP VIEW
 * with the name of each table contains only its visible rows.
 * @throws SQLite's error for invalid SQL or a missing table, or an Error for anything but one SELECT.
 */
export function queryAsParty({ cubeFile, rules, party, combination, sql }: PartyQuery): readonly PartyRow[] {
  const db = new DatabaseSync(':memory:');
  try {
    const cubeSchema = `cube${randomUUID().replaceAll('-', '')}`;
    db.exec(`ATTACH ${quoteText(`${pathToFileURL(cubeFile).href}?mode=ro`)} AS ${cubeSchema}`);
    registerDialect(db);
    const meta = readMeta(db, cubeSchema);
    const formatStoredName = (table: string): string => `${cubeSchema}.${quoteIdentifier(table)}`;
    const conditions = createVisibleRowConditions(
      db,
      meta,
      createRuleConditions(meta, rules, party, combination),
      formatStoredName,
    );
    for (const { name } of meta.tables) {
      const condition = conditions.get(toSqlNameKey(name));
      const whereClause = condition === undefined ? '' : ` WHERE ${condition}`;
      db.exec(
        `CREATE TEMP VIEW ${quoteIdentifier(name)} AS SELECT * FROM ${formatStoredName(name)}${whereClause}`,
      );
    }
    restrictToViews(db, cubeSchema, new Set(meta.tables.map((table) => toSqlNameKey(table.name))));
    return readRows(db, translateSql(sql, 'table').sql);
  } finally {
    db.close();
  }
}

const leadingComments = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/;

function readRows(db: DatabaseSync, sql: string): readonly PartyRow[] {
  if (!/^(?:SELECT|WITH|VALUES)\b/i.test(sql.replace(leadingComments, ''))) {
    throw new Error('only a single SELECT is allowed');
  }
  const statement = prepareSingleStatement(db, sql);
  statement.setReadBigInts(true);
  return statement
    .all()
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value,
        ]),
      ),
    );
}

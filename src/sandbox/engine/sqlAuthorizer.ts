import { constants, type DatabaseSync } from 'node:sqlite';
import { toSqlNameKey } from './names.ts';

/** What a statement that contains user-defined SQL may read and write. */
interface StatementPermission {
  /**
   * Returns the error message if a column may not be read; `undefined` if it may. The column is empty when rows are
   * only counted.
   */
  readonly refusal: (table: string, column: string) => string | undefined;
  /** The table that the statement may create in the main database. */
  readonly creates?: string;
  /** The table that the statement may insert into in the temporary database. */
  readonly fills?: string;
}

/** SQLite functions that are not allowed, because they reach beyond the data or expose details of the engine. */
const closedFunctions: ReadonlySet<string> = new Set([
  'load_extension',
  'fts3_tokenizer',
  'fts5',
  'fts5_source_id',
  'sqlite_log',
  'sqlite_compileoption_get',
  'sqlite_compileoption_used',
]);

const schemaTable = 'sqlite_master';

/** Returns true for the write actions that `CREATE TABLE … AS` or the fill of the temporary table need. */
function canWrite(
  { creates, fills }: StatementPermission,
  action: number,
  name: string,
  schema: string,
): boolean {
  switch (action) {
    case constants.SQLITE_CREATE_TABLE:
      return creates !== undefined && schema === 'main' && toSqlNameKey(name) === toSqlNameKey(creates);
    case constants.SQLITE_UPDATE:
      return creates !== undefined && schema === 'main' && name === schemaTable;
    case constants.SQLITE_INSERT:
      return (
        (creates !== undefined && schema === 'main' && name === schemaTable) ||
        (fills !== undefined && schema === 'temp' && name === fills)
      );
    default:
      return false;
  }
}

/**
 * Runs work that prepares or runs user-defined SQL under an SQLite authorizer, which denies everything that is not
 * permitted, such as ATTACH, PRAGMA and schema tables. Requires a Node.js version with authorizers (the oldest
 * supported editor has Node 24.15); without them this throws before any SQL runs.
 * @throws Error with the reason of the denial, or SQLite's own error.
 */
export function runAuthorized<T>(db: DatabaseSync, permission: StatementPermission, work: () => T): T {
  const { SQLITE_OK, SQLITE_DENY } = constants;
  let refused: string | undefined;
  const refuse = (why: string): number => {
    refused ??= why;
    return SQLITE_DENY;
  };
  db.setAuthorizer((action, first, second, schema) => {
    switch (action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_RECURSIVE:
        return SQLITE_OK;
      case constants.SQLITE_FUNCTION: {
        const name = (second ?? '').toLowerCase();
        return closedFunctions.has(name) ? refuse(`no such function: ${name}`) : SQLITE_OK;
      }
      case constants.SQLITE_READ: {
        const table = first ?? '';
        if (permission.creates !== undefined && schema === 'main' && table === schemaTable) {
          return SQLITE_OK;
        }
        const column = second ?? '';
        // When rows are only counted, SQLite does not report the schema.
        const why =
          schema === 'main' || column === '' ? permission.refusal(table, column) : formatUnknownTable(table);
        return why === undefined ? SQLITE_OK : refuse(why);
      }
      default:
        return canWrite(permission, action, first ?? '', schema ?? '')
          ? SQLITE_OK
          : refuse('only a SELECT or a single value is allowed');
    }
  });
  try {
    return work();
  } catch (error) {
    throw refused === undefined ? error : new Error(refused, { cause: error });
  } finally {
    db.setAuthorizer(null);
  }
}

/** Returns the message for a table in SQL that is not a table of the datamodel. */
export const formatUnknownTable = (table: string): string => `[${table}] is not a table of the datamodel`;

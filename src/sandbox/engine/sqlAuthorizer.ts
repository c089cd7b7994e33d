import { constants, type DatabaseSync } from 'node:sqlite';
import { toSqlNameKey } from './sqlNames.ts';

/** What a statement that contains user-defined SQL may read and write. */
interface StatementPermission {
  /**
   * Returns the error message if a column may not be read; `undefined` if it may. The column is empty when rows are
   * only counted.
   */
  readonly getReadError: (table: string, column: string) => string | undefined;
  /** The table that the statement may create in the main database. */
  readonly createdTable?: string;
  /** The table that the statement may insert into in the temporary database. */
  readonly filledTable?: string;
}

/** SQLite functions that are not allowed, because they reach beyond the data or expose details of the engine. */
const deniedFunctions: ReadonlySet<string> = new Set([
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
  { createdTable, filledTable }: StatementPermission,
  action: number,
  name: string,
  schema: string,
): boolean {
  switch (action) {
    case constants.SQLITE_CREATE_TABLE:
      return (
        createdTable !== undefined && schema === 'main' && toSqlNameKey(name) === toSqlNameKey(createdTable)
      );
    case constants.SQLITE_UPDATE:
      return createdTable !== undefined && schema === 'main' && name === schemaTable;
    case constants.SQLITE_INSERT:
      return (
        (createdTable !== undefined && schema === 'main' && name === schemaTable) ||
        (filledTable !== undefined && schema === 'temp' && name === filledTable)
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
  let denyReason: string | undefined;
  const deny = (reason: string): number => {
    denyReason ??= reason;
    return SQLITE_DENY;
  };
  db.setAuthorizer((action, firstArgument, secondArgument, schema) => {
    switch (action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_RECURSIVE:
        return SQLITE_OK;
      case constants.SQLITE_FUNCTION: {
        const name = (secondArgument ?? '').toLowerCase();
        return deniedFunctions.has(name) ? deny(`no such function: ${name}`) : SQLITE_OK;
      }
      case constants.SQLITE_READ: {
        const table = firstArgument ?? '';
        if (permission.createdTable !== undefined && schema === 'main' && table === schemaTable) {
          return SQLITE_OK;
        }
        const column = secondArgument ?? '';
        // When rows are only counted, SQLite does not report the schema.
        const reason =
          schema === 'main' || column === ''
            ? permission.getReadError(table, column)
            : formatUnknownTableMessage(table);
        return reason === undefined ? SQLITE_OK : deny(reason);
      }
      default:
        return canWrite(permission, action, firstArgument ?? '', schema ?? '')
          ? SQLITE_OK
          : deny('only a SELECT or a single value is allowed');
    }
  });
  try {
    return work();
  } catch (error) {
    throw denyReason === undefined ? error : new Error(denyReason, { cause: error });
  } finally {
    db.setAuthorizer(null);
  }
}

/** Returns the message for a table in SQL that is not a table of the datamodel. */
export const formatUnknownTableMessage = (table: string): string =>
  `[${table}] isn't a table of the datamodel`;

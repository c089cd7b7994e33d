import { constants, type DatabaseSync } from 'node:sqlite';
import { toSqlNameKey } from './names.ts';

/** The permissions of a statement with a stored text in it, besides computing. */
interface StatementPermission {
  /**
   * Returns the reason why a column may not be read; `undefined` when it may. The column is empty where rows are only
   * counted.
   */
  readonly refusal: (table: string, column: string) => string | undefined;
  /** The new table of the main database that the statement creates. */
  readonly creates?: string;
  /** The table of the temporary database that the statement fills. */
  readonly fills?: string;
}

/** SQLite functions that reach beyond the data, or expose details of the engine. */
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

/** True if SQLite may write what belongs to `CREATE TABLE … AS`, or fill the temporary table. */
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
 * Runs work with a stored text under an authorizer of SQLite: it may compute and read what is permitted, and nothing
 * else, so no ATTACH, no PRAGMA, no schema table, whatever the text looks like. The oldest editor that the product runs
 * in has Node 24.15, which has authorizers; without one this throws, and nothing runs.
 * @throws Error that says what was refused, or SQLite's own.
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
        // Where rows are only counted, SQLite names no schema.
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

/** The message for a name in SQL that SQLite knows and the model does not. */
export const formatUnknownTable = (table: string): string => `[${table}] is not a table of the datamodel`;

import { type JsonObject, stringify } from '../../base/json.ts';
import { cubeSetServer, livePrefix } from '../../contract/rule.ts';
import { parseDocument, textIn } from '../documents.ts';
import type { Database, Statement } from './database.ts';

/** The datamodel that a rule is bound to: a cube (or cube set) on a server, or a live model by title. */
export type RuleScope =
  | { readonly kind: 'extract'; readonly server: string; readonly elasticube: string }
  | { readonly kind: 'live'; readonly title: string };

/**
 * `LocalHost` in a body and `localhost` in a path are one server, but the term of a cube set is taken as it is sent
 * (platform-facts 3.1; spec, "All string fields are case sensitive").
 */
function serverKey(server: string): string {
  const lower = server.toLowerCase();
  return lower === cubeSetServer ? server : lower;
}

const keyOf = (scope: RuleScope): [string, string, string] =>
  scope.kind === 'extract'
    ? ['extract', serverKey(scope.server), scope.elasticube]
    : ['live', '', scope.title];

/** The data security rules of extract and live datamodels, in the order of their creation. */
export class RuleStore {
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #find: Statement;
  readonly #list: Statement;
  readonly #listByColumn: Statement;
  readonly #listByParty: Statement;
  readonly #deleteByColumn: Statement;
  readonly #deleteByScope: Statement;
  readonly #all: Statement;

  constructor(database: Database) {
    const cube = 'kind = ? AND server = ? AND cube = ?';
    this.#insert = database.statement(
      'INSERT INTO rule (kind, server, cube, table_name, column_name, id, doc) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#update = database.statement(
      'UPDATE rule SET kind = ?, server = ?, cube = ?, table_name = ?, column_name = ?, doc = ? WHERE id = ?',
    );
    this.#delete = database.statement('DELETE FROM rule WHERE kind = ? AND id = ?');
    this.#find = database.statement('SELECT kind, doc FROM rule WHERE kind = ? AND id = ?');
    this.#list = database.statement(`SELECT doc FROM rule WHERE ${cube} ORDER BY position`);
    this.#listByColumn = database.statement(
      `SELECT doc FROM rule WHERE ${cube} AND table_name = ? AND column_name = ? ORDER BY position`,
    );
    this.#listByParty = database.statement(`
      SELECT doc FROM rule WHERE ${cube} AND EXISTS (
        SELECT 1 FROM json_each(rule.doc, '$.shares') share
        WHERE share.value ->> '$.type' <> 'default'
          AND coalesce(share.value ->> '$.party', share.value ->> '$.partyId') IN (SELECT value FROM json_each(?))
      ) ORDER BY position`);
    this.#deleteByColumn = database.statement(
      `DELETE FROM rule WHERE ${cube} AND table_name = ? AND column_name = ?`,
    );
    this.#deleteByScope = database.statement(`DELETE FROM rule WHERE ${cube}`);
    this.#all = database.statement('SELECT kind, doc FROM rule ORDER BY position');
  }

  /** The rules of one datamodel as JSON texts, or those of one dimension of it. */
  texts(scope: RuleScope, dimension?: { readonly table: string; readonly column: string }): string[] {
    const key = keyOf(scope);
    return dimension === undefined
      ? this.#list.docs(...key)
      : this.#listByColumn.docs(...key, dimension.table, dimension.column);
  }

  /** The rules of one datamodel that name one of these users or groups. */
  textsOfParties(scope: RuleScope, parties: readonly string[]): string[] {
    return this.#listByParty.docs(...keyOf(scope), stringify(parties));
  }

  document(kind: RuleScope['kind'], id: string): JsonObject | undefined {
    const text = this.#find.doc(kind, id);
    return text === undefined ? undefined : parseDocument(text);
  }

  /** All rules of all datamodels. */
  all(): { readonly kind: RuleScope['kind']; readonly rule: JsonObject }[] {
    return this.#all.rows().map(({ kind, doc = '{}' }) => ({
      kind: kind === 'live' ? 'live' : 'extract',
      rule: parseDocument(doc),
    }));
  }

  /** Adds a rule with its `_id`; the datamodel it is bound to is read from its own fields. */
  insert(kind: RuleScope['kind'], rule: JsonObject): void {
    this.#insert.run(...rowOf(kind, rule), textIn(rule, '_id'), stringify(rule));
  }

  /** Replaces the rule of the same `_id`. */
  update(kind: RuleScope['kind'], rule: JsonObject): void {
    this.#update.run(...rowOf(kind, rule), stringify(rule), textIn(rule, '_id'));
  }

  /** Removes one rule; answers whether it was there. */
  delete(kind: RuleScope['kind'], id: string): boolean {
    return this.#delete.run(kind, id) > 0;
  }

  /** Removes the rules of one datamodel, or those of one dimension of it; answers how many. */
  deleteAll(scope: RuleScope, dimension?: { readonly table: string; readonly column: string }): number {
    const key = keyOf(scope);
    return dimension === undefined
      ? this.#deleteByScope.run(...key)
      : this.#deleteByColumn.run(...key, dimension.table, dimension.column);
  }
}

/** The datamodel that the rule's own fields name. */
export function scopeOf(kind: RuleScope['kind'], rule: JsonObject): RuleScope {
  if (kind === 'live') {
    const fullname = textIn(rule, 'fullname');
    return { kind, title: fullname.startsWith(livePrefix) ? fullname.slice(livePrefix.length) : fullname };
  }
  return { kind, server: textIn(rule, 'server'), elasticube: textIn(rule, 'elasticube') };
}

const rowOf = (kind: RuleScope['kind'], rule: JsonObject): [string, string, string, string, string] => [
  ...keyOf(scopeOf(kind, rule)),
  textIn(rule, 'table'),
  textIn(rule, 'column'),
];

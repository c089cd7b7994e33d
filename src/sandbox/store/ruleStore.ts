import { type JsonObject, stringify } from '../../base/json.ts';
import { cubeSetServer, livePrefix } from '../../contract/rule.ts';
import { parseDocument, getTextMember } from '../documents.ts';
import type { Database, Statement } from './database.ts';

/** The datamodel that a rule belongs to: an extract datamodel (cube) or cube set on a server, or a live datamodel. */
export type StoredRuleSubject =
  | { readonly kind: 'extract'; readonly server: string; readonly elasticube: string }
  | { readonly kind: 'live'; readonly title: string };

/**
 * Returns the key of a server name. It ignores case, as `LocalHost` in a body and `localhost` in a path are the same
 * server, but not for the `set` of cube sets (platform-facts.md, 3.1; rest-api.md, "Data security rule" 2).
 */
function toServerKey(server: string): string {
  const lower = server.toLowerCase();
  return lower === cubeSetServer ? server : lower;
}

const toSubjectKey = (subject: StoredRuleSubject): [string, string, string] =>
  subject.kind === 'extract'
    ? ['extract', toServerKey(subject.server), subject.elasticube]
    : ['live', '', subject.title];

/** The data security rules of extract datamodels, cube sets and live datamodels, in order of creation. */
export class RuleStore {
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #find: Statement;
  readonly #list: Statement;
  readonly #listByColumn: Statement;
  readonly #listByParty: Statement;
  readonly #deleteByColumn: Statement;
  readonly #deleteBySubject: Statement;
  readonly #getAll: Statement;

  constructor(database: Database) {
    const subjectCondition = 'kind = ? AND server = ? AND cube = ?';
    this.#insert = database.prepare(
      'INSERT INTO rule (kind, server, cube, table_name, column_name, id, doc) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#update = database.prepare(
      'UPDATE rule SET kind = ?, server = ?, cube = ?, table_name = ?, column_name = ?, doc = ? WHERE id = ?',
    );
    this.#delete = database.prepare('DELETE FROM rule WHERE kind = ? AND id = ?');
    this.#find = database.prepare('SELECT kind, doc FROM rule WHERE kind = ? AND id = ?');
    this.#list = database.prepare(`SELECT doc FROM rule WHERE ${subjectCondition} ORDER BY position`);
    this.#listByColumn = database.prepare(
      `SELECT doc FROM rule WHERE ${subjectCondition} AND table_name = ? AND column_name = ? ORDER BY position`,
    );
    this.#listByParty = database.prepare(`
      SELECT doc FROM rule WHERE ${subjectCondition} AND EXISTS (
        SELECT 1 FROM json_each(rule.doc, '$.shares') share
        WHERE share.value ->> '$.type' <> 'default'
          AND coalesce(share.value ->> '$.party', share.value ->> '$.partyId') IN (SELECT value FROM json_each(?))
      ) ORDER BY position`);
    this.#deleteByColumn = database.prepare(
      `DELETE FROM rule WHERE ${subjectCondition} AND table_name = ? AND column_name = ?`,
    );
    this.#deleteBySubject = database.prepare(`DELETE FROM rule WHERE ${subjectCondition}`);
    this.#getAll = database.prepare('SELECT kind, doc FROM rule ORDER BY position');
  }

  /** Returns the rules of a datamodel, or of one of its columns, as JSON texts. */
  getTexts(
    subject: StoredRuleSubject,
    columnName?: { readonly table: string; readonly column: string },
  ): string[] {
    const key = toSubjectKey(subject);
    return columnName === undefined
      ? this.#list.getDocuments(...key)
      : this.#listByColumn.getDocuments(...key, columnName.table, columnName.column);
  }

  /** Returns the rules of a datamodel that have a share for any of these users or groups, as JSON texts. */
  getTextsByParties(subject: StoredRuleSubject, parties: readonly string[]): string[] {
    return this.#listByParty.getDocuments(...toSubjectKey(subject), stringify(parties));
  }

  getDocument(kind: StoredRuleSubject['kind'], id: string): JsonObject | undefined {
    const text = this.#find.getDocument(kind, id);
    return text === undefined ? undefined : parseDocument(text);
  }

  /** Returns the rules of all datamodels. */
  getAll(): { readonly kind: StoredRuleSubject['kind']; readonly rule: JsonObject }[] {
    return this.#getAll.getRows().map(({ kind, doc = '{}' }) => ({
      kind: kind === 'live' ? 'live' : 'extract',
      rule: parseDocument(doc),
    }));
  }

  /** Inserts a rule with an `_id`; its own fields name its datamodel. */
  insert(kind: StoredRuleSubject['kind'], rule: JsonObject): void {
    this.#insert.run(...toColumnValues(kind, rule), getTextMember(rule, '_id'), stringify(rule));
  }

  /** Replaces the rule with the same `_id`. */
  update(kind: StoredRuleSubject['kind'], rule: JsonObject): void {
    this.#update.run(...toColumnValues(kind, rule), stringify(rule), getTextMember(rule, '_id'));
  }

  /** Deletes a rule; returns true if it existed. */
  delete(kind: StoredRuleSubject['kind'], id: string): boolean {
    return this.#delete.run(kind, id) > 0;
  }

  /** Deletes the rules of a datamodel, or of one of its columns; returns the number of deleted rules. */
  deleteAll(
    subject: StoredRuleSubject,
    columnName?: { readonly table: string; readonly column: string },
  ): number {
    const key = toSubjectKey(subject);
    return columnName === undefined
      ? this.#deleteBySubject.run(...key)
      : this.#deleteByColumn.run(...key, columnName.table, columnName.column);
  }
}

/** Returns the datamodel that a rule's own fields name. */
export function getSubjectOfRule(kind: StoredRuleSubject['kind'], rule: JsonObject): StoredRuleSubject {
  if (kind === 'live') {
    const fullname = getTextMember(rule, 'fullname');
    return { kind, title: fullname.startsWith(livePrefix) ? fullname.slice(livePrefix.length) : fullname };
  }
  return { kind, server: getTextMember(rule, 'server'), elasticube: getTextMember(rule, 'elasticube') };
}

const toColumnValues = (
  kind: StoredRuleSubject['kind'],
  rule: JsonObject,
): [string, string, string, string, string] => [
  ...toSubjectKey(getSubjectOfRule(kind, rule)),
  getTextMember(rule, 'table'),
  getTextMember(rule, 'column'),
];

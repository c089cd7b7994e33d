import { stringify } from '../../base/json.ts';
import type { SeedGroup, SeedUser } from '../seeds/port.ts';
import { parseDocument } from '../documents.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Database, Statement } from './database.ts';

/** The users and groups of the sandbox, and who is in which. */
export class PeopleStore {
  readonly #database: Database;
  readonly #insertUser: Statement;
  readonly #insertGroup: Statement;
  readonly #insertMember: Statement;
  readonly #user: Statement;
  readonly #users: Statement;
  readonly #group: Statement;
  readonly #groups: Statement;
  readonly #groupsByName: Statement;
  readonly #groupsOf: Statement;

  constructor(database: Database) {
    this.#database = database;
    this.#insertUser = database.statement('INSERT OR REPLACE INTO person (id, name, doc) VALUES (?, ?, ?)');
    this.#insertGroup = database.statement('INSERT INTO party_group (id, name, doc) VALUES (?, ?, ?)');
    this.#insertMember = database.statement(
      'INSERT OR IGNORE INTO group_member (party_group, person) VALUES (?, ?)',
    );
    this.#user = database.statement('SELECT name, doc FROM person WHERE id = ?');
    this.#users = database.statement('SELECT doc FROM person ORDER BY rowid');
    this.#group = database.statement('SELECT name FROM party_group WHERE id = ?');
    this.#groups = database.statement('SELECT doc FROM party_group ORDER BY rowid');
    this.#groupsByName = database.statement('SELECT doc FROM party_group WHERE name = ? ORDER BY rowid');
    this.#groupsOf = database.statement('SELECT party_group FROM group_member WHERE person = ?');
  }

  insertUser(user: SeedUser): void {
    this.#insertUser.run(user._id, user.userName, stringify(user));
  }

  insertGroup(group: SeedGroup): void {
    this.#database.transaction(() => {
      this.#insertGroup.run(group._id, group.name, stringify({ _id: group._id, name: group.name }));
      for (const member of group.members) {
        this.#insertMember.run(group._id, member);
      }
    });
  }

  user(id: string): JsonObject | undefined {
    const doc = this.#user.doc(id);
    return doc === undefined ? undefined : parseDocument(doc);
  }

  users(): JsonObject[] {
    return this.#users.docs().map(parseDocument);
  }

  /** All groups, or those of one name (case sensitive); an unknown name gives none (design.md, section 5). */
  groups(name?: string): JsonObject[] {
    const docs = name === undefined ? this.#groups.docs() : this.#groupsByName.docs(name);
    return docs.map(parseDocument);
  }

  /** The ids of the groups that a user is in. */
  groupIdsOf(userId: string): string[] {
    return this.#groupsOf.rows(userId).map(({ party_group: id = '' }) => id);
  }

  /** The name of a party for display; `undefined` for one that is not known here. */
  partyName(type: string, id: string): string | undefined {
    return (type === 'group' ? this.#group.row(id) : this.#user.row(id))?.['name'];
  }
}

import { stringify } from '../../base/json.ts';
import type { SeedGroup, SeedUser } from '../seeds/seed.ts';
import { parseDocument } from '../documents.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Database, Statement } from './database.ts';

/** The users and groups of the sandbox, with the members of each group. */
export class PeopleStore {
  readonly #database: Database;
  readonly #insertUser: Statement;
  readonly #insertGroup: Statement;
  readonly #insertMember: Statement;
  readonly #getUser: Statement;
  readonly #getUsers: Statement;
  readonly #getGroup: Statement;
  readonly #getGroups: Statement;
  readonly #getGroupsByName: Statement;
  readonly #getGroupsByUser: Statement;

  constructor(database: Database) {
    this.#database = database;
    this.#insertUser = database.prepare('INSERT OR REPLACE INTO person (id, name, doc) VALUES (?, ?, ?)');
    this.#insertGroup = database.prepare('INSERT INTO party_group (id, name, doc) VALUES (?, ?, ?)');
    this.#insertMember = database.prepare(
      'INSERT OR IGNORE INTO group_member (party_group, person) VALUES (?, ?)',
    );
    this.#getUser = database.prepare('SELECT name, doc FROM person WHERE id = ?');
    this.#getUsers = database.prepare('SELECT doc FROM person ORDER BY rowid');
    this.#getGroup = database.prepare('SELECT name FROM party_group WHERE id = ?');
    this.#getGroups = database.prepare('SELECT doc FROM party_group ORDER BY rowid');
    this.#getGroupsByName = database.prepare('SELECT doc FROM party_group WHERE name = ? ORDER BY rowid');
    this.#getGroupsByUser = database.prepare('SELECT party_group FROM group_member WHERE person = ?');
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

  getUser(id: string): JsonObject | undefined {
    const doc = this.#getUser.getDocument(id);
    return doc === undefined ? undefined : parseDocument(doc);
  }

  getUsers(): JsonObject[] {
    return this.#getUsers.getDocuments().map(parseDocument);
  }

  /** Returns all groups, or those with the given name (case-sensitive), if any (decisions.md, "Sandbox"). */
  getGroups(name?: string): JsonObject[] {
    const docs =
      name === undefined ? this.#getGroups.getDocuments() : this.#getGroupsByName.getDocuments(name);
    return docs.map(parseDocument);
  }

  /** Returns the ids of a user's groups. */
  getGroupIds(userId: string): string[] {
    return this.#getGroupsByUser.getRows(userId).map(({ party_group: id = '' }) => id);
  }

  /** Returns the name of a user or group; `undefined` for an unknown id. */
  getPartyName(type: string, id: string): string | undefined {
    return (type === 'group' ? this.#getGroup.getRow(id) : this.#getUser.getRow(id))?.['name'];
  }
}

import type { JsonObject } from '../../base/json.ts';

/** The names of the seeds, as `--seed` accepts them (decisions.md, "Stable interfaces"). */
export const seedNames = ['demo', 'empty', 'large'] as const;
export type SeedName = (typeof seedNames)[number];

/**
 * A user of a seed. `_id` is 24 hex digits. The users of the two tokens already exist (see `builtInUsers`) and may be
 * members of groups.
 */
export interface SeedUser {
  readonly _id: string;
  readonly userName: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** A group of a seed. `_id` is 24 hex digits; `members` are `_id`s of users. */
export interface SeedGroup {
  readonly _id: string;
  readonly name: string;
  readonly members: readonly string[];
}

/** The users of the two tokens of every sandbox. They are inserted before a seed is applied. */
export const builtInUsers = {
  administrator: {
    _id: '00000000000000000000a001',
    userName: 'admin@sandbox.local',
    email: 'admin@sandbox.local',
    firstName: 'Sandbox',
    lastName: 'Administrator',
  },
  user: {
    _id: '00000000000000000000a002',
    userName: 'user@sandbox.local',
    email: 'user@sandbox.local',
    firstName: 'Sandbox',
    lastName: 'User',
  },
} as const satisfies Record<string, SeedUser>;

/**
 * Receives the documents of a seed. They are stored unchecked and unchanged, in one transaction. Each document must
 * contain its own id (`oid`, `_id` or `id`), so that a seed is deterministic.
 */
export interface SeedTarget {
  /**
   * Inserts a complete datamodel document as GET returns it (platform-facts.md, 2.2): `oid`, `title`, `type`,
   * `datasets`, `relations`, …
   */
  insertDatamodel(datamodel: JsonObject): void;
  /**
   * Inserts a rule of an extract datamodel or cube set, with `_id`, `server`, `elasticube` and `shares[].party`
   * (rest-api.md, "Data security rule").
   */
  insertExtractRule(rule: JsonObject): void;
  /**
   * Inserts a rule of a live datamodel, with `_id`, `fullname` (prefix `live:`), `live: true` and `shares[].partyId`
   * (rest-api.md, "Data security rule, live datamodel").
   */
  insertLiveRule(rule: JsonObject): void;
  /**
   * Inserts a viewpoint with `id`, unique `name`, `enabled`, `details`, `visibility`, … (rest-api.md, "Viewpoint").
   */
  insertViewpoint(viewpoint: JsonObject): void;
  /** Inserts a custom data object with its `_id` (rest-api.md, "Custom data object"). */
  insertCustomData(object: JsonObject): void;
  insertUser(user: SeedUser): void;
  insertGroup(group: SeedGroup): void;
}

/**
 * The initial content of an empty sandbox. `apply` inserts documents into the target and writes CSV files to
 * `<folder>/files/`.
 */
export interface Seed {
  readonly name: SeedName;
  apply(target: SeedTarget, folder: string): void;
}

import type { JsonObject } from '../../base/json.ts';

/** The names of the seeds, as `--seed` accepts them (decisions.md, "Stable interfaces"). */
export const seedNames = ['demo', 'empty', 'large'] as const;
export type SeedName = (typeof seedNames)[number];

/**
 * A user as the sandbox knows it. `_id` is 24 hex digits; the administrator and the plain user behind the two tokens
 * exist already (see `builtInUsers`) and may be put into groups.
 */
export interface SeedUser {
  readonly _id: string;
  readonly userName: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** A group with its members (user `_id`s). `_id` is 24 hex digits. */
export interface SeedGroup {
  readonly _id: string;
  readonly name: string;
  readonly members: readonly string[];
}

/** The users behind the two tokens of every sandbox. They are inserted before a seed is applied. */
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
 * Receives the documents of a seed. Everything is stored as given, unchecked, in one transaction, so `apply` is
 * synchronous and all or nothing. Each document contains its own id (`oid`, `_id`, `id`): a seed is deterministic.
 */
export interface SeedTarget {
  /**
   * A whole model document as GET returns it (platform-facts.md, 2.2): `oid`, `title`, `type`, `datasets`, `relations`,
   * …
   */
  insertDatamodel(datamodel: JsonObject): void;
  /**
   * An extract or cube set rule with `_id`, `server`, `elasticube` and `shares[].party`
   * (rest-api.md, "Data security rule").
   */
  insertExtractRule(rule: JsonObject): void;
  /**
   * A live rule with `_id`, `fullname` (prefix `live:`), `live: true` and `shares[].partyId`
   * (rest-api.md, "Data security rule, live datamodel").
   */
  insertLiveRule(rule: JsonObject): void;
  /**
   * A viewpoint with `id`, `name`, `enabled`, `details`, `visibility`, … (rest-api.md, "Viewpoint"); names are unique.
   */
  insertViewpoint(viewpoint: JsonObject): void;
  /** A custom data object with its `_id` (rest-api.md, "Custom data object"). */
  insertCustomData(object: JsonObject): void;
  insertUser(user: SeedUser): void;
  insertGroup(group: SeedGroup): void;
}

/**
 * Fills an empty sandbox. By convention `seeds/seeds.ts` exports
 * `seeds: Readonly<Record<SeedName, Seed>>`; files (CSV) are written under `<folder>/files/`.
 */
export interface Seed {
  readonly name: SeedName;
  apply(store: SeedTarget, folder: string): void;
}

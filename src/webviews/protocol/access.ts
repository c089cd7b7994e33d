import * as z from 'zod';

/** A user or group that is known of the instance. */
export interface PageParty {
  readonly type: 'user' | 'group';
  readonly id: string;
  /** What people call it; the id where nobody reports a name. */
  readonly name: string;
  /** All groups of a user; absent where nobody reports them. */
  readonly groupIds?: readonly string[];
  /** Only the name of the user was met: `id` is no identifier, and no rule may carry it. */
  readonly isNameOnly?: true;
}

/**
 * Who says which groups a user is in: the instance's list of users, a membership list that was imported, or the rules
 * that the server lists for the user.
 */
export type PageMembershipSource = 'instance' | 'imported' | 'rules';

/** The tables of a datamodel with their relations, as rules are read against them. */
export interface AccessCatalog {
  readonly complete: boolean;
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly type?: number; readonly hidden?: boolean }[];
  }[];
  readonly relations: readonly {
    readonly columns: readonly { readonly table: string; readonly column: string }[];
  }[];
}

/** Whose rules a page shows. */
export interface RuleSubjectPlace {
  readonly connectionId: string;
  /** The rules as a resource; only the host reads it. */
  readonly resource: unknown;
}

/** What the host says to the page that tells who sees what. */
export type ToAccess =
  /** Whose rules the page shows: it keeps that, so that its tab can be brought back after a reload. */
  | { readonly type: 'place'; readonly place: RuleSubjectPlace }
  | {
      readonly type: 'data';
      readonly title: string;
      readonly kind: 'extract' | 'live';
      /** As the server answered them. */
      readonly rules: readonly unknown[];
      /** Absent where nothing tells the tables, as for a cube set; then {@link reason} may say why. */
      readonly catalog?: AccessCatalog;
      readonly reason?: string;
    }
  | { readonly type: 'parties'; readonly parties: readonly PageParty[] }
  /** The answer to a look-up; without an id it leads to nobody, and `problem` says why. */
  | {
      readonly type: 'party';
      readonly partyType: PageParty['type'];
      readonly text: string;
      readonly id?: string;
      readonly name?: string;
      readonly problem?: string;
    }
  /** The groups of a user that was asked for; without `groupIds` they are unknown. */
  | {
      readonly type: 'membership';
      /** As it was asked for: an identifier, or a name. */
      readonly user: string;
      /** Whom it means, where that is somebody else than was written. */
      readonly id?: string;
      readonly groupIds?: readonly string[];
      readonly source?: PageMembershipSource;
      /** What a person should know of it. */
      readonly note?: string;
    }
  | { readonly type: 'failed'; readonly message: string };

/** Asks who is meant by a text. */
export const findPartySchema = z.object({
  type: z.literal('findParty'),
  partyType: z.enum(['user', 'group']),
  text: z.string().min(1),
});

/** What the page says to its host. */
export const fromAccessSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  findPartySchema,
  z.object({ type: z.literal('membership'), user: z.string().min(1) }),
  z.object({ type: z.literal('importMembership') }),
  /** Opens a rule, by its place among the rules that the page was given. */
  z.object({ type: z.literal('openRule'), index: z.int().nonnegative() }),
  /** Opens the matrix in which the rules are edited. */
  z.object({ type: z.literal('editRules') }),
  z.object({ type: z.literal('export'), format: z.enum(['markdown', 'csv']), text: z.string() }),
]);
export type FromAccess = z.infer<typeof fromAccessSchema>;

import * as z from 'zod';

/** A known user or group of the instance. */
export interface PageParty {
  readonly type: 'user' | 'group';
  readonly id: string;
  /** The display name; the ID if no name is reported. */
  readonly name: string;
  /** All groups of a user; absent if they are not reported. */
  readonly groupIds?: readonly string[];
  /** Only the name of the user is known: `id` is not an ID, and no rule may contain it. */
  readonly isNameOnly?: true;
}

/**
 * The source of a user's groups: the instance's list of users, an imported membership list, or the rules that the
 * server lists for the user.
 */
export type PageMembershipSource = 'instance' | 'imported' | 'rules';

/** The tables of a datamodel with their relations, to resolve rules. */
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

/** The subject whose rules a page shows. */
export interface RuleSubjectPlace {
  readonly connectionId: string;
  /** The rules as a resource; only the host reads it. */
  readonly resource: unknown;
}

/** Messages from the host to the Effective Access page. */
export type ToAccess =
  /** The subject whose rules the page shows: the page keeps it, so that its tab can be restored after a reload. */
  | { readonly type: 'place'; readonly place: RuleSubjectPlace }
  | {
      readonly type: 'data';
      readonly title: string;
      readonly kind: 'extract' | 'live';
      /** As the server returned them. */
      readonly rules: readonly unknown[];
      /** Absent if the tables are unknown, as for a cube set; then {@link reason} may say why. */
      readonly catalog?: AccessCatalog;
      readonly reason?: string;
    }
  | { readonly type: 'parties'; readonly parties: readonly PageParty[] }
  /** The result of a lookup; without an ID it found no one, and `problem` says why. */
  | {
      readonly type: 'party';
      readonly partyType: PageParty['type'];
      readonly text: string;
      readonly id?: string;
      readonly name?: string;
      readonly problem?: string;
    }
  /** The groups of the requested user; without `groupIds` they are unknown. */
  | {
      readonly type: 'membership';
      /** As requested: an ID, or a name. */
      readonly user: string;
      /** The ID of the user, if it differs from the requested text. */
      readonly id?: string;
      readonly groupIds?: readonly string[];
      readonly source?: PageMembershipSource;
      /** A note for the user. */
      readonly note?: string;
    }
  | { readonly type: 'failed'; readonly message: string };

/** Looks up a party by text. */
export const findPartySchema = z.object({
  type: z.literal('findParty'),
  partyType: z.enum(['user', 'group']),
  text: z.string().min(1),
});

/** Messages from the page to its host. */
export const fromAccessSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  findPartySchema,
  z.object({ type: z.literal('membership'), user: z.string().min(1) }),
  z.object({ type: z.literal('importMembership') }),
  /** Opens a rule, by its index in the rules that the page received. */
  z.object({ type: z.literal('openRule'), index: z.int().nonnegative() }),
  /** Opens the matrix in which the rules are edited. */
  z.object({ type: z.literal('editRules') }),
  z.object({ type: z.literal('export'), format: z.enum(['markdown', 'csv']), text: z.string() }),
]);
export type FromAccess = z.infer<typeof fromAccessSchema>;

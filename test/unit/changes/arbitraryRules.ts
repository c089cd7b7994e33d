import * as fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json.ts';
import type { RuleEdit } from '../../../src/changes/rules/ruleTarget.ts';

export type SubjectKind = 'extract' | 'live';

type PartyText = `user:${string}` | `group:${string}` | 'default';

const partyText = fc.constantFrom<PartyText>('user:u1', 'user:u2', 'group:g1', 'group:g2');
const shares = fc.oneof(
  { weight: 4, arbitrary: fc.uniqueArray(partyText, { minLength: 1, maxLength: 3 }) },
  { weight: 2, arbitrary: fc.constant<PartyText[]>(['default']) },
);

interface Content {
  readonly members: string[];
  readonly allMembers: boolean | null;
}

const content: fc.Arbitrary<Content> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Content>({ members: [], allMembers: true }) },
  { weight: 1, arbitrary: fc.constant<Content>({ members: [], allMembers: false }) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.subarray(['a', 'b', 'c'], { minLength: 1 }), fc.boolean())
      .map(([members, exclusionary]) => ({ members, allMembers: null, exclusionary })),
  },
);

const column = fc.constantFrom('C', 'C', 'D');

interface Draft {
  readonly column: string;
  readonly shares: readonly PartyText[];
  readonly content: Content;
}

const draft: fc.Arbitrary<Draft> = fc.record({ column, shares, content });

export const createRule = (
  kind: SubjectKind,
  { column: name, shares: parties, content: grantFields }: Draft,
): JsonObject => ({
  table: 'T',
  column: name,
  datatype: 'text',
  exclusionary: false,
  ...grantFields,
  ...(kind === 'live' ? { live: true, fullname: 'live:M' } : { server: 'LocalHost', elasticube: 'M' }),
  shares: parties.map((party) => {
    const [type = '', id] = party.split(':');
    return { type, ...(id === undefined ? {} : { [kind === 'live' ? 'partyId' : 'party']: id }) };
  }),
});

export const arbitraryRule = (kind: SubjectKind): fc.Arbitrary<JsonObject> =>
  draft.map((each) => createRule(kind, each));

const getScope = (each: Draft): string => JSON.stringify([each.column, [...each.shares].sort()]);

/** Keeps only rules whose parties are in no earlier rule of the column, as a strict live endpoint requires. */
function omitRepeatedParties(drafts: readonly Draft[]): readonly Draft[] {
  const usedKeys = new Set<string>();
  return drafts.filter((each) => {
    const keys = each.shares.map((party) => `${each.column} ${party}`);
    const isFree = keys.every((key) => !usedKeys.has(key));
    keys.forEach((key) => isFree && usedKeys.add(key));
    return isFree;
  });
}

const omitRepeatedScopes = (drafts: readonly Draft[]): readonly Draft[] => [
  ...new Map(drafts.map((each) => [getScope(each), each])).values(),
];

/** The rules of a server; if it overwrites, no two are for exactly the same parties. */
export const arbitraryRules = (
  kind: SubjectKind,
  isOverwriting: boolean,
): fc.Arbitrary<readonly JsonObject[]> =>
  fc
    .tuple(fc.array(draft, { maxLength: 6 }), fc.boolean())
    .map(([drafts, hasEachPartyOnce]) =>
      hasEachPartyOnce ? omitRepeatedParties(drafts) : isOverwriting ? omitRepeatedScopes(drafts) : drafts,
    )
    .map((drafts) => drafts.map((each, index) => ({ ...createRule(kind, each), _id: `old${index}` })));

/** Edits that change, assign to other parties, delete and add some of the rules. */
export const arbitraryEdits = (
  kind: SubjectKind,
  rules: readonly JsonObject[],
  isStrict: boolean,
): fc.Arbitrary<readonly RuleEdit[]> =>
  fc
    .tuple(
      fc.array(
        fc.record({
          kindOfChange: fc.constantFrom('keep', 'content', 'content', 'shares', 'delete'),
          next: draft,
        }),
        { minLength: rules.length, maxLength: rules.length },
      ),
      fc.array(draft, { maxLength: 3 }),
    )
    .map(([changes, added]) => {
      const changed = rules.flatMap((before, index): readonly RuleEdit[] => {
        const { kindOfChange = 'keep', next } = changes[index] ?? {};
        if (kindOfChange === 'keep' || next === undefined) {
          return [];
        }
        const { _id = null, ...otherFields } = before;
        const newRule = createRule(kind, next);
        const grantFields = { members: newRule['members'] ?? [], allMembers: newRule['allMembers'] ?? null };
        const exclusionary = newRule['exclusionary'] ?? false;
        const newShares = kindOfChange === 'shares' ? { shares: newRule['shares'] ?? [] } : {};
        const after = {
          ...otherFields,
          ...grantFields,
          exclusionary,
          ...newShares,
          ...(kind === 'extract' ? { _id } : {}),
        };
        return [{ before, writeIndex: index, ...(kindOfChange === 'delete' ? {} : { after }) }];
      });
      const addedEdits = (isStrict ? omitRepeatedParties(added) : added).map((each, index) => ({
        after: createRule(kind, each),
        writeIndex: rules.length + index,
      }));
      return [...changed, ...addedEdits];
    })
    .filter((all) => all.length > 0);

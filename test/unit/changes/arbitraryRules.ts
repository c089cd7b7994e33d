import * as fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json.ts';
import type { RuleEdit } from '../../../src/changes/rules/ruleTarget.ts';

export type Kind = 'extract' | 'live';

type PartyText = `user:${string}` | `group:${string}` | 'default';

const named = fc.constantFrom<PartyText>('user:u1', 'user:u2', 'group:g1', 'group:g2');
const shares = fc.oneof(
  { weight: 4, arbitrary: fc.uniqueArray(named, { minLength: 1, maxLength: 3 }) },
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

export const ruleFrom = (
  kind: Kind,
  { column: name, shares: parties, content: said }: Draft,
): JsonObject => ({
  table: 'T',
  column: name,
  datatype: 'text',
  exclusionary: false,
  ...said,
  ...(kind === 'live' ? { live: true, fullname: 'live:M' } : { server: 'LocalHost', elasticube: 'M' }),
  shares: parties.map((party) => {
    const [type = '', id] = party.split(':');
    return { type, ...(id === undefined ? {} : { [kind === 'live' ? 'partyId' : 'party']: id }) };
  }),
});

export const rule = (kind: Kind): fc.Arbitrary<JsonObject> => draft.map((one) => ruleFrom(kind, one));

const spot = (one: Draft): string => JSON.stringify([one.column, [...one.shares].sort()]);

/** Puts each party in one rule per column, as a strict live endpoint requires. */
function eachPartyOnce(drafts: readonly Draft[]): readonly Draft[] {
  const seen = new Set<string>();
  return drafts.filter((one) => {
    const keys = one.shares.map((party) => `${one.column} ${party}`);
    const isFree = keys.every((key) => !seen.has(key));
    keys.forEach((key) => isFree && seen.add(key));
    return isFree;
  });
}

const oncePerSpot = (drafts: readonly Draft[]): readonly Draft[] => [
  ...new Map(drafts.map((one) => [spot(one), one])).values(),
];

/** The rules of a server; if it overwrites, no two are for exactly the same parties. */
export const getRules = (kind: Kind, isSingle: boolean): fc.Arbitrary<readonly JsonObject[]> =>
  fc
    .tuple(fc.array(draft, { maxLength: 6 }), fc.boolean())
    .map(([drafts, once]) => (once ? eachPartyOnce(drafts) : isSingle ? oncePerSpot(drafts) : drafts))
    .map((drafts) => drafts.map((one, index) => ({ ...ruleFrom(kind, one), _id: `old${index}` })));

/** A set of changes to such rules: change, regroup, delete and add some of them. */
export const edits = (
  kind: Kind,
  rules: readonly JsonObject[],
  isStrict: boolean,
): fc.Arbitrary<readonly RuleEdit[]> =>
  fc
    .tuple(
      fc.array(
        fc.record({
          what: fc.constantFrom('keep', 'content', 'content', 'shares', 'delete'),
          next: draft,
        }),
        { minLength: rules.length, maxLength: rules.length },
      ),
      fc.array(draft, { maxLength: 3 }),
    )
    .map(([changes, added]) => {
      const changed = rules.flatMap((before, index): readonly RuleEdit[] => {
        const { what = 'keep', next } = changes[index] ?? {};
        if (what === 'keep' || next === undefined) {
          return [];
        }
        const { _id = null, ...rest } = before;
        const fresh = ruleFrom(kind, next);
        const said = { members: fresh['members'] ?? [], allMembers: fresh['allMembers'] ?? null };
        const exclusionary = fresh['exclusionary'] ?? false;
        const shared = what === 'shares' ? { shares: fresh['shares'] ?? [] } : {};
        const after = { ...rest, ...said, exclusionary, ...shared, ...(kind === 'extract' ? { _id } : {}) };
        return [{ before, write: index, ...(what === 'delete' ? {} : { after }) }];
      });
      const more = (isStrict ? eachPartyOnce(added) : added).map((one, index) => ({
        after: ruleFrom(kind, one),
        write: rules.length + index,
      }));
      return [...changed, ...more];
    })
    .filter((some) => some.length > 0);

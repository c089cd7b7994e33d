import type { ListCombination, Party } from '../../security/columnAccess.ts';
import type { HypotheticalRule, WhatIf } from '../../security/whatIf/whatIf.ts';

/** The persisted state of the page: the selected parties, options and hypothetical rules. */
export interface AccessPageState extends Omit<WhatIf, 'cells'> {
  readonly party: Party;
  /** The party to compare with; absent without a comparison. */
  readonly other?: Party | undefined;
  /** How the values of several groups are combined. With `uncertain`, access that depends on this is uncertain. */
  readonly groups: ListCombination | 'uncertain';
  readonly filter: string;
  readonly onlyDifferences: boolean;
  /** Whether the changes in the rules grid that aren't applied yet are previewed. */
  readonly includesUnapplied: boolean;
}

/** The state of the page with the changes of the rules grid that it previews. */
export type PreviewState = AccessPageState & Pick<WhatIf, 'cells'>;

export const initialAccessPageState: AccessPageState = {
  party: { groupIds: [] },
  groups: 'uncertain',
  without: [],
  drafts: [],
  filter: '',
  onlyDifferences: false,
  includesUnapplied: true,
};

/**
 * Reads the persisted state. An older version may have stored it, so other values are replaced by defaults: `groups`
 * was `open` for `uncertain`.
 */
export function readAccessPageState(persisted: unknown): AccessPageState {
  if (typeof persisted !== 'object' || persisted === null) {
    return initialAccessPageState;
  }
  const { party, other, groups, without, drafts, filter, onlyDifferences, includesUnapplied } =
    persisted as Record<string, unknown>;
  return {
    party: readParty(party) ?? initialAccessPageState.party,
    other: readParty(other),
    groups: groups === 'union' || groups === 'intersection' ? groups : 'uncertain',
    without: readStrings(without),
    drafts: Array.isArray(drafts) ? drafts.filter(isHypotheticalRule) : [],
    filter: typeof filter === 'string' ? filter : '',
    onlyDifferences: onlyDifferences === true,
    includesUnapplied: includesUnapplied !== false,
  };
}

/** Reads the reference to the rules from the persisted state, where its key is `place`; only the host validates it. */
export const readPersistedReference = (persisted: unknown): unknown =>
  typeof persisted === 'object' && persisted !== null && 'place' in persisted ? persisted.place : undefined;

const readStrings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

function readParty(value: unknown): Party | undefined {
  if (typeof value !== 'object' || value === null || !('groupIds' in value)) {
    return undefined;
  }
  const { userId, groupIds } = value as Record<string, unknown>;
  return { ...(typeof userId === 'string' ? { userId } : {}), groupIds: readStrings(groupIds) };
}

function isHypotheticalRule(value: unknown): value is HypotheticalRule {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { table, column, access, values, party } = value as Record<string, unknown>;
  return (
    typeof table === 'string' &&
    typeof column === 'string' &&
    ['only', 'except', 'everything', 'nothing'].includes(String(access)) &&
    Array.isArray(values) &&
    values.every((item) => typeof item === 'string') &&
    typeof party === 'object' &&
    party !== null
  );
}

/** True if the preview adds, ignores, or changes rules. */
export const isPreviewActive = ({ without, drafts, cells = [] }: WhatIf): boolean =>
  without.length + drafts.length + cells.length > 0;

/** Returns a key for each draft in a list. Equal drafts are numbered, since keys must be unique. */
export function getDraftKeys(drafts: readonly HypotheticalRule[]): readonly string[] {
  const texts = drafts.map((draft) => JSON.stringify(draft));
  return texts.map(
    (text, index) => `${text} ${texts.slice(0, index).filter((other) => other === text).length}`,
  );
}

import type { GetGroupIds } from '../membership/memberships.ts';
import { isNonEmptyString, isObject, type PartyRef, readArray } from '../readRules.ts';
import type { AccessEffect } from './accessDifferenceRow.ts';

/** The state of publication of a viewpoint, and with whom it is shared (rest-api.md, "ViewpointVisibility"). */
export interface ViewpointSharing {
  /** `unknown` if the members that state it differ. */
  readonly isPublished: boolean | 'unknown';
  readonly apps: readonly string[];
  /** Users and groups, each once. */
  readonly parties: readonly PartyRef[];
}

/** Whether a party sees a viewpoint, and in which apps. */
export interface PartyVisibility {
  /** Whether the party sees the viewpoint. */
  readonly isVisible: boolean | 'unknown';
  /** Empty if the viewpoint is not visible, or if the apps are unknown. */
  readonly apps: readonly string[];
}

/** Parties that a change affects in the same way: they see the viewpoint in other apps than before. */
export interface ViewpointDifference {
  readonly effect: AccessEffect;
  /** True if the effect depends on the groups of users, or on sharing whose meaning is unknown. */
  readonly isUncertain: boolean;
  /** Only the default party if everyone else is affected. */
  readonly parties: readonly PartyRef[];
  readonly before: PartyVisibility;
  readonly after: PartyVisibility;
}

/** Reads the sharing of a viewpoint from its document, which may be any JSON. */
export function readSharing(viewpoint: unknown): ViewpointSharing {
  const { enabled, visibility } = toObject(viewpoint);
  const { enabled: visibilityEnabled, apps, groups, users } = toObject(visibility);
  const states = new Set([enabled, visibilityEnabled].filter((state) => typeof state === 'boolean'));
  const toParties = (type: 'group' | 'user', list: unknown): readonly PartyRef[] =>
    readTexts(list).map((id) => ({ type, id }));
  return {
    isPublished: states.size > 1 ? 'unknown' : states.has(true),
    apps: readTexts(apps),
    parties: [...toParties('group', groups), ...toParties('user', users)],
  };
}

/**
 * Reads the sharing of a viewpoint to be created: only its visibility can publish it (rest-api.md, "Viewpoint
 * publication").
 */
export const readNewSharing = (viewpoint: unknown): ViewpointSharing =>
  readSharing({ visibility: toObject(viewpoint)['visibility'] });

/**
 * Returns the sharing of a viewpoint after some of its members were replaced (rest-api.md, "PUT /infusion/viewpoints").
 * If they don't state whether the viewpoint is published, that stays unchanged.
 */
export function updateSharing(sharing: ViewpointSharing, members: unknown): ViewpointSharing {
  const { enabled, visibility } = toObject(members);
  const sentSharing = readSharing(members);
  const { apps, parties } = visibility === undefined ? sharing : sentSharing;
  const statesPublication = [enabled, toObject(visibility)['enabled']].some(
    (state) => typeof state === 'boolean',
  );
  return { isPublished: (statesPublication ? sentSharing : sharing).isPublished, apps, parties };
}

const toObject = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

const readTexts = (list: unknown): readonly string[] => [
  ...new Set(readArray(list).filter(isNonEmptyString)),
];

/**
 * Computes who gains and who loses a viewpoint: the users and groups that it names before or after the change, and
 * everyone else, since a viewpoint that names no one may be visible to everyone. Gains come first, and certain
 * differences come before uncertain ones.
 * @param oldSharing `undefined` for a viewpoint that is created
 * @param newSharing `undefined` for a viewpoint that is deleted
 */
export function computeViewpointDifferences(
  oldSharing: ViewpointSharing | undefined,
  newSharing: ViewpointSharing | undefined,
  getGroupIds: GetGroupIds = () => undefined,
): readonly ViewpointDifference[] {
  const parties = new Map<string, PartyRef>([['default:', { type: 'default' }]]);
  const namedParties = [...(oldSharing?.parties ?? []), ...(newSharing?.parties ?? [])];
  for (const party of namedParties.toSorted(
    (a, b) => Number(a.type === 'user') - Number(b.type === 'user'),
  )) {
    parties.set(toKey(party), party);
  }
  const [readVisibilityBefore, readVisibilityAfter] = [
    createVisibilityReader(oldSharing),
    createVisibilityReader(newSharing),
  ];
  const differences = new Map<string, ViewpointDifference & { readonly parties: PartyRef[] }>();
  for (const party of parties.values()) {
    const groupIds = party.type === 'user' ? getGroupIds(party.id ?? '') : undefined;
    const [before, after] = [readVisibilityBefore(party, groupIds), readVisibilityAfter(party, groupIds)];
    const comparison = compareVisibility(before, after);
    if (comparison !== undefined) {
      const visibility = { before: before.visibility, after: after.visibility };
      const key = JSON.stringify([visibility, comparison]);
      const difference = differences.get(key) ?? { ...comparison, ...visibility, parties: [] };
      differences.set(key, difference);
      difference.parties.push(party);
    }
  }
  return [...differences.values()]
    .map((difference) =>
      difference.parties.some(({ type }) => type === 'default')
        ? { ...difference, parties: [{ type: 'default' } as const] }
        : difference,
    )
    .toSorted(
      (a, b) =>
        effectOrder.indexOf(a.effect) - effectOrder.indexOf(b.effect) ||
        Number(a.isUncertain) - Number(b.isUncertain),
    );
}

const effectOrder: readonly AccessEffect[] = ['gains', 'changes', 'loses'];

const toKey = ({ type, id = '' }: PartyRef): string => `${type}:${id}`;

/** The visibility of a viewpoint to a party, with the reasons if it is unknown. */
interface ExplainedVisibility {
  readonly visibility: PartyVisibility;
  readonly unknownBecause: readonly ('publication' | 'apps' | 'parties' | 'groups')[];
}

type VisibilityReader = (party: PartyRef, groupIds: readonly string[] | undefined) => ExplainedVisibility;

const invisible: ExplainedVisibility = { visibility: { isVisible: false, apps: [] }, unknownBecause: [] };

/**
 * Returns a function that determines what a party sees. A viewpoint that is not published, or that neither names apps
 * nor anyone, is visible to no one (rest-api.md, "Viewpoint"; decisions.md, "Stable interfaces"). The effect of sharing
 * with only apps, or only users and groups, isn't documented: no change can cause it, but a new viewpoint can have it
 * (rest-api.md, "Limits").
 */
function createVisibilityReader(sharing: ViewpointSharing | undefined): VisibilityReader {
  if (
    sharing === undefined ||
    sharing.isPublished === false ||
    sharing.apps.length + sharing.parties.length === 0
  ) {
    return () => invisible;
  }
  const { isPublished, parties } = sharing;
  const apps = sharing.apps.toSorted();
  const reasons: ExplainedVisibility['unknownBecause'] = [
    ...(isPublished === 'unknown' ? (['publication'] as const) : []),
    ...(apps.length === 0 ? (['apps'] as const) : []),
  ];
  const toVisibility = (unknownBecause: ExplainedVisibility['unknownBecause']): ExplainedVisibility => ({
    visibility: { isVisible: unknownBecause.length === 0 ? true : 'unknown', apps },
    unknownBecause,
  });
  const keys = new Set(parties.map(toKey));
  const namesGroups = parties.some(({ type }) => type === 'group');
  return (party, groupIds) => {
    if (parties.length === 0) {
      return toVisibility([...reasons, 'parties']);
    }
    if (keys.has(toKey(party)) || groupIds?.some((id) => keys.has(toKey({ type: 'group', id }))) === true) {
      return toVisibility(reasons);
    }
    return party.type === 'user' && groupIds === undefined && namesGroups
      ? toVisibility([...reasons, 'groups'])
      : invisible;
  };
}

/**
 * Compares what a party sees before and after; `undefined` if nothing changes. Visibility that is unknown for the same
 * reasons is no change.
 */
function compareVisibility(
  before: ExplainedVisibility,
  after: ExplainedVisibility,
): Pick<ViewpointDifference, 'effect' | 'isUncertain'> | undefined {
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return undefined;
  }
  const mayGain = mayShowMore(before.visibility, after.visibility);
  const mayLose = mayShowMore(after.visibility, before.visibility);
  return {
    effect: mayGain && mayLose ? 'changes' : mayGain ? 'gains' : 'loses',
    isUncertain: before.unknownBecause.length + after.unknownBecause.length > 0,
  };
}

const mayShowMore = (before: PartyVisibility, after: PartyVisibility): boolean =>
  after.isVisible !== false &&
  (before.isVisible !== true ||
    after.apps.length === 0 ||
    after.apps.some((app) => !before.apps.includes(app)));

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ViewpointDifference,
  type ViewpointSharing,
  computeViewpointDifferences,
  readNewSharing,
  readSharing,
  updateSharing,
} from '../../../src/security/change/viewpointDifference.ts';
import type { PartyRef } from '../../../src/security/readRules.ts';

const group = (id: string): PartyRef => ({ type: 'group', id });
const user = (id: string): PartyRef => ({ type: 'user', id });
const share = (
  parties: readonly PartyRef[],
  apps: readonly string[] = ['chat'],
  isPublished: ViewpointSharing['isPublished'] = true,
): ViewpointSharing => ({ isPublished, apps, parties });

/** Returns differences as texts, such as `gains group:sales`. */
const describeDifferences = (...change: Parameters<typeof computeViewpointDifferences>): readonly string[] =>
  computeViewpointDifferences(...change).map(
    ({ effect, isUncertain, parties }) =>
      `${isUncertain ? 'might: ' : ''}${effect} ${parties.map(({ type, id }) => (id === undefined ? type : `${type}:${id}`)).join()}`,
  );

describe('who gains and who loses a viewpoint', () => {
  test('is determined by the added and removed parties of a published viewpoint', () => {
    const [before, after] = [share([group('sales'), user('ann')]), share([group('sales'), group('support')])];
    expect(describeDifferences(before, after, () => [])).toEqual(['gains group:support', 'loses user:ann']);
    expect(describeDifferences({ ...before, isPublished: false }, { ...after, isPublished: false })).toEqual(
      [],
    );
    expect(describeDifferences({ ...before, isPublished: false }, before)).toEqual([
      'gains group:sales,user:ann',
    ]);
    expect(describeDifferences(undefined, before)).toEqual(['gains group:sales,user:ann']);
    expect(describeDifferences(before, undefined)).toEqual(['loses group:sales,user:ann']);
  });

  test('is determined by the apps of the viewpoint, too', () => {
    const parties = [group('sales')];
    expect(describeDifferences(share(parties, ['a']), share(parties, ['b', 'a']))).toEqual([
      'gains group:sales',
    ]);
    expect(describeDifferences(share(parties, ['a']), share(parties, ['b']))).toEqual([
      'changes group:sales',
    ]);
    expect(describeDifferences(share(parties, ['a', 'b']), share(parties, ['b', 'a']))).toEqual([]);
  });

  test('is unknown if apps or parties are missing, but not if both are', () => {
    expect(describeDifferences(undefined, share([group('sales')], []))).toEqual(['might: gains group:sales']);
    expect(describeDifferences(undefined, share([]))).toEqual(['might: gains default']);
    expect(describeDifferences(share([group('sales')]), share([]))).toEqual([
      'might: gains default',
      'might: loses group:sales',
    ]);
    expect(describeDifferences(undefined, share([], []))).toEqual([]);
    expect(describeDifferences(share([group('sales')], [], false), share([], ['a'], false))).toEqual([]);
  });

  test('is unknown if the members that state the publication differ', () => {
    expect(describeDifferences(undefined, share([group('sales')], ['a'], 'unknown'))).toEqual([
      'might: gains group:sales',
    ]);
  });

  test('depends on the groups of users', () => {
    const [before, after] = [share([user('ann')]), share([group('sales')])];
    expect(describeDifferences(before, after, () => ['sales'])).toEqual(['gains group:sales']);
    expect(describeDifferences(before, after, () => ['other'])).toEqual([
      'gains group:sales',
      'loses user:ann',
    ]);
    expect(describeDifferences(before, after)).toEqual(['gains group:sales', 'might: loses user:ann']);
  });
});

describe('the sharing of a viewpoint', () => {
  const visibility = { apps: ['a', 'a', 1], groups: ['g'], users: ['u', ''], enabled: true };

  test('is read from any JSON', () => {
    expect(readSharing({ enabled: true, visibility })).toEqual(share([group('g'), user('u')], ['a']));
    expect(readSharing({ enabled: false, visibility }).isPublished).toBe('unknown');
    expect(readSharing({ enabled: true, visibility: null })).toEqual(share([], []));
    expect(readSharing('x')).toEqual(share([], [], false));
  });

  test('of a new viewpoint is published only by its visibility', () => {
    expect(readNewSharing({ enabled: false, visibility }).isPublished).toBe(true);
    expect(readNewSharing({ enabled: true, visibility: { ...visibility, enabled: null } }).isPublished).toBe(
      false,
    );
  });

  test('is replaced as a whole, and the publication stays unless it is sent', () => {
    const before = share([group('g')], ['a']);
    expect(updateSharing(before, { name: 'x' })).toEqual(before);
    expect(updateSharing(before, { enabled: false })).toEqual({ ...before, isPublished: false });
    expect(updateSharing(before, { visibility: { users: ['u'] } })).toEqual(share([user('u')], []));
    expect(updateSharing(before, { visibility: null })).toEqual(share([], []));
    expect(updateSharing(before, { enabled: false, visibility }).isPublished).toBe('unknown');
  });
});

describe('compared with each interpretation one by one', () => {
  const apps = ['a', 'b'];
  const parties = [group('g'), group('h'), user('u'), user('v')];
  const sharing = fc.option(
    fc.record({
      isPublished: fc.constantFrom<ViewpointSharing['isPublished']>(true, false, 'unknown'),
      apps: fc.subarray(apps),
      parties: fc.subarray(parties),
    }),
    { nil: undefined },
  );

  /** One way to read what the documentation leaves open. */
  interface Interpretation {
    readonly unknownIsPublished: boolean;
    readonly noAppsAreAll: boolean;
    readonly noPartiesAreAll: boolean;
  }
  const flags = [false, true];
  const interpretations: readonly Interpretation[] = flags.flatMap((unknownIsPublished) =>
    flags.flatMap((noAppsAreAll) =>
      flags.map((noPartiesAreAll) => ({ unknownIsPublished, noAppsAreAll, noPartiesAreAll })),
    ),
  );
  const allGroups: readonly (readonly string[])[] = [[], ['g'], ['h'], ['g', 'h']];

  function getVisibleApps(
    shared: ViewpointSharing | undefined,
    party: PartyRef,
    groups: readonly string[],
    { unknownIsPublished, noAppsAreAll, noPartiesAreAll }: Interpretation,
  ): readonly string[] {
    if (shared === undefined || (shared.apps.length === 0 && shared.parties.length === 0)) {
      return [];
    }
    const isPublished = shared.isPublished === 'unknown' ? unknownIsPublished : shared.isPublished;
    const isNamed = shared.parties.some(
      ({ type, id }) =>
        (type === party.type && id === party.id) ||
        (party.type === 'user' && type === 'group' && groups.includes(id ?? '')),
    );
    const isIncluded = shared.parties.length === 0 ? noPartiesAreAll : isNamed;
    return !isPublished || !isIncluded
      ? []
      : shared.apps.length > 0
        ? shared.apps
        : noAppsAreAll
          ? [...apps, 'unlisted']
          : [];
  }

  const findDifference = (
    differences: readonly ViewpointDifference[],
    party: PartyRef,
    namedParties: readonly PartyRef[],
  ): ViewpointDifference | undefined =>
    differences.find(({ parties: [first, ...others] }) =>
      [first, ...others].some((other) => other?.type === party.type && other.id === party.id),
    ) ??
    (namedParties.length > 0
      ? differences.find(({ parties: [first] }) => first?.type === 'default')
      : undefined);

  test('no gain is missed, and nothing that depends on an interpretation is certain', () => {
    const memberships = fc.option(fc.constantFrom(...allGroups), { nil: undefined });
    fc.assert(
      fc.property(sharing, sharing, memberships, (before, after, knownGroups) => {
        const differences = computeViewpointDifferences(before, after, () => knownGroups);
        const namedParties = [...(before?.parties ?? []), ...(after?.parties ?? [])];
        for (const party of [...parties, { type: 'default' } as const]) {
          const isNamed = namedParties.some(({ type, id }) => type === party.type && id === party.id);
          if (party.type !== 'default' && !isNamed) {
            continue;
          }
          const possibleGroups = knownGroups === undefined ? allGroups : [knownGroups];
          const possibleChanges = possibleGroups.flatMap((groups) =>
            interpretations.flatMap((oldInterpretation) =>
              interpretations.map((newInterpretation) => {
                const [old, current] = [
                  getVisibleApps(before, party, groups, oldInterpretation),
                  getVisibleApps(after, party, groups, newInterpretation),
                ];
                return {
                  isSameCase: oldInterpretation === newInterpretation,
                  gains: current.some((app) => !old.includes(app)),
                  loses: old.some((app) => !current.includes(app)),
                };
              }),
            ),
          );
          const difference = findDifference(differences, party, namedParties);
          const effect = difference?.effect;
          const [mayGain, mayLose] = [
            effect === 'gains' || effect === 'changes',
            effect === 'loses' || effect === 'changes',
          ];
          for (const { gains, loses } of possibleChanges.filter(({ isSameCase }) => isSameCase)) {
            expect(!gains || mayGain).toBe(true);
            expect(!loses || mayLose).toBe(true);
          }
          if (difference?.isUncertain === false) {
            expect(possibleChanges.every(({ gains, loses }) => gains === mayGain && loses === mayLose)).toBe(
              true,
            );
          }
          // Nothing is reported that can't happen.
          expect(!mayGain || possibleChanges.some(({ gains }) => gains)).toBe(true);
          expect(!mayLose || possibleChanges.some(({ loses }) => loses)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

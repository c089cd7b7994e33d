import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { computeAccessDifference } from '../../security/change/accessDifference.ts';
import { dependsOnMemberships, type Memberships } from '../../security/membership/memberships.ts';
import type { PlannedAccess } from '../model/plan.ts';
import { findFormerNameGains } from '../model/formerNames.ts';
import { getRowParties } from '../../security/change/accessDifferenceRow.ts';
import { createPartyNamer, isBlocked, type Preview } from './preview.ts';

/**
 * Computes who gains and who loses access through a rule change, as the plan of an operation does.
 * @param loadMemberships loads the known groups of users; called only if the effect depends on them
 * @returns `undefined` if nothing changes, or if errors prevent the change, so that its effect is unknown
 */
export async function computePreviewAccess(
  preview: Preview,
  loadMemberships: () => Promise<Memberships>,
): Promise<PlannedAccess | undefined> {
  const { currentRules, difference, target, datamodel, catalog } = preview;
  const { adds, deletes } = difference;
  if (isBlocked(preview) || [...adds, ...deletes].length === 0) {
    return undefined;
  }
  const deleted = new Set(deletes.map(({ index }) => index));
  const after = [...currentRules.filter((_rule, index) => !deleted.has(index)), ...adds];
  const memberships = dependsOnMemberships([...currentRules, ...after]) ? await loadMemberships() : undefined;
  const accessDifference = computeAccessDifference({
    before: { rules: currentRules, catalog },
    after: { rules: after, catalog },
    memberships,
  });
  const gainsUntilBuild =
    datamodel &&
    catalog &&
    findFormerNameGains({ before: currentRules, after, memberships }, { datamodel, catalog });
  const rows = [...accessDifference.rows, ...(gainsUntilBuild?.rows ?? [])];
  const getName = createPartyNamer(preview);
  return {
    subjects: [
      {
        title: getSubjectTitle(target.subject),
        difference: accessDifference,
        ...(gainsUntilBuild === undefined ? {} : { untilBuild: gainsUntilBuild }),
      },
    ],
    partyNames: new Map(
      rows.flatMap(getRowParties).flatMap((party) => {
        const name = getName(party);
        return name === undefined ? [] : [[`${party.type}:${party.id ?? ''}`, name] as const];
      }),
    ),
  };
}

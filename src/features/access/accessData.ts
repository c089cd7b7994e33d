import type { Log } from '../../base/log.ts';
import {
  type RuleSubject,
  getRuleSubject,
  isSameSubject,
  getSubjectTitle,
} from '../../catalog/ruleSubject.ts';
import type { Session } from '../../connections/sessions.ts';
import type { Rule } from '../../contract/rule.ts';
import type { UserDirectory } from '../../catalog/people/userDirectory.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { PageParty, ToAccess } from '../../webviews/protocol/access.ts';

type DataMessage = Extract<ToAccess, { type: 'data' }>;

/** The rules that a page shows, and the datamodel or cube set that they belong to. */
interface SubjectRules {
  readonly subject: RuleSubject;
  readonly rules: readonly Rule[];
  /** The cube sets of the connection. */
  readonly cubeSets: readonly RuleSubject[];
}

/**
 * Loads the data that a page shows for a datamodel or cube set. If the tables cannot be read, the rules are still
 * returned, together with the reason: most of the information is in the rules.
 */
export async function loadAccessData(
  { catalog }: Session,
  { subject, rules, cubeSets }: SubjectRules,
  log: Log,
): Promise<DataMessage> {
  const isCubeSet = cubeSets.some((cubeSet) => isSameSubject(cubeSet, subject));
  const data = {
    type: 'data',
    title: getSubjectTitle(subject),
    kind: subject.kind,
    rules,
    ...(isCubeSet ? { isCubeSet } : {}),
  } as const;
  try {
    if (isCubeSet) {
      return { ...data, catalog: await catalog.namedDatamodels.getForCubeSet() };
    }
    const namedDatamodel = await catalog.namedDatamodels.find((entry) =>
      isSameSubject(getRuleSubject(entry), subject),
    );
    return namedDatamodel === undefined ? data : { ...data, catalog: namedDatamodel.catalog };
  } catch (error) {
    log.warn('access', 'Reading the tables failed', { reason: String(error) });
    return { ...data, reason: getUserMessage(error) };
  }
}

/** Lists the groups and users of the instance. Users known only from an imported list have their name as their ID. */
export function listKnownParties(directory: UserDirectory): readonly PageParty[] {
  const groups = directory
    .getParties('group')
    .flatMap(({ id, name }): PageParty[] => (id === undefined ? [] : [{ type: 'group', id, name }]));
  const users = directory.getParties('user').map(({ id, name }): PageParty => {
    const groupIds = directory.getMembership(id ?? name)?.groupIds;
    return {
      type: 'user',
      id: id ?? name,
      name,
      ...(groupIds === undefined ? {} : { groupIds }),
      ...(id === undefined ? { isNameOnly: true } : {}),
    };
  });
  return [...groups, ...users];
}

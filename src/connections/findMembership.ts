import type { PlatformClient } from '../client/platformClient.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';
import type { UserDirectory, MembershipSource, PartyResolution } from '../catalog/people/userDirectory.ts';
import { inferGroupsFromRules } from '../security/membership/inferGroups.ts';

/** The groups of a user, and their source; or why they are unknown. */
export type MembershipLookup =
  | {
      readonly id: string;
      readonly groupIds: readonly string[];
      /** `rules`: the rules that the server lists for the user. */
      readonly source: MembershipSource | 'rules';
      /** The rules that the server lists for the user, if it was asked for them. */
      readonly userRules?: readonly unknown[] | undefined;
    }
  | {
      readonly id: string;
      readonly groupIds?: never;
      readonly resolution: PartyResolution;
      readonly userRules?: readonly unknown[] | undefined;
    };

/**
 * The groups of a user, from the first source that has them: the instance's list of users, an imported membership list,
 * the rules of a cube that the server lists for the user (rest-api.md, "Data security, extract datamodels"). That last
 * request does not work everywhere (platform-facts.md, 3.1): its failure is ignored.
 * @param user an ID, or any text that was typed
 * @param ruleContext.rules all rules of the subject
 */
export async function findMembership(
  {
    client,
    directory,
  }: { readonly client: Pick<PlatformClient, 'extractRules'>; readonly directory: UserDirectory },
  user: string,
  ruleContext: { readonly subject: RuleSubject; readonly rules: readonly unknown[] },
): Promise<MembershipLookup> {
  const resolution = directory.resolve('user', user);
  const id = 'id' in resolution ? resolution.id : user;
  const membership = directory.getMembership(id);
  if (membership !== undefined) {
    return { id, ...membership };
  }
  const isIdentified = resolution.kind === 'known' || resolution.kind === 'identifier';
  const userRules = isIdentified ? await listRulesForUser(client, ruleContext.subject, id) : undefined;
  const groupIds =
    userRules === undefined ? undefined : inferGroupsFromRules(ruleContext.rules, userRules, id);
  return groupIds === undefined
    ? { id, resolution, userRules }
    : { id, groupIds, source: 'rules', userRules };
}

/**
 * Returns the rules that the server applies to a user, including those for groups; `undefined` if it can't list them.
 * Live datamodels have no such list (rest-api.md, "Data security, live datamodels").
 */
export async function listRulesForUser(
  client: Pick<PlatformClient, 'extractRules'>,
  subject: RuleSubject,
  user: string,
): Promise<readonly unknown[] | undefined> {
  if (subject.kind !== 'extract') {
    return undefined;
  }
  const { server, elasticube } = subject;
  return client.extractRules.listByUser({ server, elasticube, user }).then(
    ({ value }) => value,
    () => undefined,
  );
}

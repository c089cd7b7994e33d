import type { GroupRecord, UserRecord } from '../../contract/people.ts';
import type { DirectoryGroup, DirectoryUser } from './userDirectory.ts';

/** The user fields that contain identity and group memberships (platform-facts.md, 6.2). */
export const userFields = ['userName', 'email', 'firstName', 'lastName', 'groups', 'adgroups'] as const;
export const groupFields = ['name'] as const;

/**
 * A user from an instance's record. The display name is the user name, which is what `partyName` of a rule contains,
 * otherwise the e-mail, otherwise first and last name. Groups of a directory service cannot be matched with those of
 * rules, so the groups of a user who is in any of them are unknown.
 */
export function toDirectoryUser({ _id: id, ...record }: UserRecord): DirectoryUser {
  const { userName, email, firstName, lastName, groups, adgroups } = record;
  const fullName = [firstName, lastName].filter(isText).join(' ');
  const names = [userName, email, fullName].filter(isText);
  const hasDirectoryServiceGroups = (adgroups?.length ?? 0) > 0;
  return {
    id,
    name: names[0] ?? id,
    aliases: [...new Set(names.slice(1))],
    ...(groups === null || groups === undefined || hasDirectoryServiceGroups
      ? {}
      : { groupIds: [...new Set(groups)] }),
  };
}

export const toDirectoryGroup = ({ _id: id, name }: GroupRecord): DirectoryGroup => ({
  id,
  name: isText(name) ? name : id,
});

const isText = (text: string | null | undefined): text is string => typeof text === 'string' && text !== '';

import type { UserDirectory } from '../catalog/people/userDirectory.ts';
import { Memberships } from '../security/membership/memberships.ts';

/** Creates the memberships of users in groups from what is known about the users of an instance. */
export const createMemberships = (directory: UserDirectory): Memberships =>
  new Memberships((user) => directory.getMembership(user)?.groupIds, directory.getGroupSets());

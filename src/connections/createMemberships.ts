import type { Directory } from '../catalog/people/directory.ts';
import { Memberships } from '../security/membership/memberships.ts';

/** What the people of an instance say about the groups of its users. */
export const createMemberships = (directory: Directory): Memberships =>
  new Memberships((user) => directory.getMembership(user)?.groupIds, directory.getGroupSets());

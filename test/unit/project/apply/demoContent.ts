import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoSeed } from '../../../../src/sandbox/seeds/demo/demo.ts';
import { SeedCollector } from '../../../support/seedCollector.ts';
import type { InstanceContent } from './roundTripSupport.ts';

/** Returns the documents of the demo. */
export function createDemoContent(): SeedCollector {
  const folder = mkdtempSync(join(tmpdir(), 'apply-demo-'));
  const collector = new SeedCollector();
  demoSeed.apply(collector, folder);
  rmSync(folder, { recursive: true, force: true });
  return collector;
}

/** Returns the same people with other identifiers. */
export const changePartyIds = ({
  users,
  groups,
}: Required<Pick<InstanceContent, 'users' | 'groups'>>): Required<
  Pick<InstanceContent, 'users' | 'groups'>
> => {
  const changeId = (id: string): string => id.replace(/^..../, 'face');
  return {
    users: users.map((user) => ({ ...user, _id: changeId(user._id) })),
    groups: groups.map(({ _id, name, members }) => ({
      _id: changeId(_id),
      name,
      members: members.map((id) => (id.startsWith('0000') ? id : changeId(id))),
    })),
  };
};

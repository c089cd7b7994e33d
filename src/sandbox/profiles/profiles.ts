import { contractProfile } from './contract.ts';
import { guideProfile } from './guide.ts';
import type { Profile, ProfileName, SameSharesMode } from './profile.ts';

const profiles: Readonly<Record<ProfileName, Profile>> = { guide: guideProfile, contract: contractProfile };

/**
 * Returns a profile by its name. `sameShares` overrides the profile's handling of rules with the same shares.
 */
export function getProfile(name: ProfileName, sameShares?: SameSharesMode): Profile {
  const profile = profiles[name];
  return sameShares === undefined ? profile : { ...profile, rules: { ...profile.rules, sameShares } };
}

import type { ProfileName } from '../../src/sandbox/profiles/profile.ts';
import type { Deviation } from '../support/endpoints/example.ts';
import { getExample } from '../support/endpoints/examples.ts';
import type { ContractBreach } from './exchanges.ts';

/** Returns the deviations that explain a breach in a profile. */
export const getExplanations = (breach: ContractBreach, profile: ProfileName): readonly Deviation[] =>
  (getExample(breach.endpoint).deviations ?? []).filter(
    (deviation) =>
      (deviation.profile ?? profile) === profile &&
      deviation.side === breach.side &&
      deviation.pattern.test(breach.path === '' ? breach.message : breach.path),
  );

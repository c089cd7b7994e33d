import type { ProfileName } from '../../src/sandbox/profiles/profile.ts';
import type { Deviation } from '../support/endpoints/example.ts';
import { getExample } from '../support/endpoints/examples.ts';
import type { ContractBreach } from './exchanges.ts';

/** Returns the intentional deviations from the vendor's contract that account for a breach, in one kind of server. */
export const findListedDeviations = (breach: ContractBreach, profile: ProfileName): readonly Deviation[] =>
  (getExample(breach.endpoint).deviations ?? []).filter(
    (deviation) =>
      (deviation.profile ?? profile) === profile &&
      deviation.side === breach.side &&
      deviation.pattern.test(breach.path === '' ? breach.message : breach.path),
  );

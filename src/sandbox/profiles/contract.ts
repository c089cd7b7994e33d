import { contractResponses } from './contractResponses.ts';
import { createCancelResponse, checkBuildRead, toContractTask } from './contractBuilds.ts';
import { createContractErrorBody } from './contractErrors.ts';
import { contractRequestChecks } from './contractRequests.ts';
import { checkLiveDelete, checkLiveParties } from './contractRules.ts';
import type { Profile } from './profile.ts';

/** A platform as the vendor's published contract defines it (platform-facts.md, 6). */
export const contract: Profile = {
  paths: {
    dialects: ['schema'],
    missing: [],
    // It reports who is signed in, so it requires nothing (platform-facts.md, 6.1, isauth).
    isAnonymous: (id) => id === 'session.check',
    checksMethods: false,
  },
  rules: { sameShares: 'overwrite', liveExclusionary: true, checkLiveParties, checkLiveDelete },
  builds: {
    toJson: toContractTask,
    checkRead: checkBuildRead,
    cancelled: createCancelResponse,
    seedsAreBuilt: true,
  },
  columnsBeforeBuild: true,
  requests: contractRequestChecks,
  answers: contractResponses,
  errorBody: createContractErrorBody,
};

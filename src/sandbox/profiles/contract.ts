import { contractResponses } from './contractResponses.ts';
import { createCancelResponse, checkBuildRead, toContractTask } from './contractBuilds.ts';
import { createContractErrorBody } from './contractErrors.ts';
import { contractRequestChecks } from './contractRequests.ts';
import { checkLiveDelete, checkLiveParties } from './contractRules.ts';
import type { Profile } from './profile.ts';

/** The profile of a platform that follows the vendor's published contract (platform-facts.md, 6). */
export const contract: Profile = {
  paths: {
    dialects: ['schema'],
    missing: [],
    // It reports whether the caller is signed in, so it requires no token (platform-facts.md, 6.1, isauth).
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

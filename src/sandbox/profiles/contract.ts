import { contractResponses } from './contractResponses.ts';
import { createCancelResponse, checkBuildRead, toContractTask } from './contractBuilds.ts';
import { createContractErrorBody } from './contractErrors.ts';
import { contractRequestChecks } from './contractRequests.ts';
import { checkLiveDelete, checkLiveParties } from './contractRules.ts';
import type { Profile } from './profile.ts';

/** The profile of a platform that follows the vendor's published contract (platform-facts.md, 6). */
export const contractProfile: Profile = {
  paths: {
    dialects: ['schema'],
    missingEndpoints: [],
    // It reports whether the caller is signed in, so it requires no token (platform-facts.md, 6.1, isauth).
    allowsAnonymous: (id) => id === 'session.check',
    checksMethods: false,
  },
  rules: { sameShares: 'overwrite', allowsLiveExclusionary: true, checkLiveParties, checkLiveDelete },
  builds: {
    toJson: toContractTask,
    rejectTooEarlyRead: checkBuildRead,
    getCancelResponse: createCancelResponse,
    buildsSeeds: true,
  },
  hasColumnsBeforeBuild: true,
  requestChecks: contractRequestChecks,
  responseTransforms: contractResponses,
  createErrorBody: createContractErrorBody,
};

import { answers } from './contractAnswers.ts';
import { cancelAnswer, checkBuildRead, contractTask } from './contractBuilds.ts';
import { errorBody } from './contractErrors.ts';
import { requests } from './contractRequests.ts';
import { checkLiveDelete, checkLiveParties } from './contractRules.ts';
import type { Profile } from './profile.ts';

/** A platform as the vendor's published contract has it (v0.9, v1.0 and v2.0, of about 2020). */
export const contract: Profile = {
  paths: {
    dialects: ['schema'],
    missing: [],
    // It says who is signed in, so it asks for nothing (contract v0.9, isauth).
    isAnonymous: (id) => id === 'session.check',
    tellsMethods: false,
  },
  rules: { sameShares: 'overwrite', liveExclusionary: true, checkLiveParties, checkLiveDelete },
  builds: {
    toJson: contractTask,
    checkRead: checkBuildRead,
    cancelled: cancelAnswer,
    seedsAreBuilt: true,
  },
  columnsBeforeBuild: true,
  requests,
  answers,
  errorBody,
};

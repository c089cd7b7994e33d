import { endpoints } from '../../contract/endpoints.ts';
import { okResponse } from '../endpointCall.ts';
import { createProblemBody } from '../problem.ts';
import type { Profile } from './profile.ts';

/** The profile of a platform that follows the guide; for open questions see decisions.md, "Sandbox". */
export const guide: Profile = {
  paths: {
    dialects: ['plain', 'schema'],
    missing: ['liveRules.createMany'],
    isAnonymous: () => false,
    checksMethods: true,
  },
  rules: {
    // platform-facts.md, 3.1: POST adds.
    sameShares: 'add',
    liveExclusionary: false,
  },
  builds: {
    toJson: (task) => task.toJson(),
    checkRead() {},
    cancelled: (task) => okResponse(task.toJson()),
    seedsAreBuilt: false,
  },
  columnsBeforeBuild: false,
  requests: {},
  answers: {},
  errorBody(problem, path) {
    const body = createProblemBody(problem, path);
    // A failed session check also has its own property (rest-api.md, "Authentication" 3).
    const isSession = path === endpoints['session.check'].path && problem.status === 401;
    return isSession ? { isauthenticated: false, ...body } : body;
  },
};

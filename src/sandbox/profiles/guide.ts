import { endpoints } from '../../contract/endpoints.ts';
import { createOkResponse } from '../endpointCall.ts';
import { createProblemBody } from '../problem.ts';
import type { Profile } from './profile.ts';

/** The profile of a platform that follows the guide; for open questions see decisions.md, "Sandbox". */
export const guideProfile: Profile = {
  paths: {
    dialects: ['plain', 'schema'],
    missingEndpoints: ['liveRules.createMany'],
    allowsAnonymous: () => false,
    checksMethods: true,
  },
  rules: {
    // Clients of the guide report that POST adds (platform-facts.md, 3.4).
    sameShares: 'add',
    allowsLiveExclusionary: false,
  },
  builds: {
    toJson: (task) => task.toJson(),
    rejectTooEarlyRead() {},
    getCancelResponse: (task) => createOkResponse(task.toJson()),
    buildsSeeds: false,
  },
  hasColumnsBeforeBuild: false,
  requestChecks: {},
  responseTransforms: {},
  createErrorBody(problem, path) {
    const body = createProblemBody(problem, path);
    // A failed session check also has its own property (rest-api.md, "Authentication" 3).
    const isSessionCheck = path === endpoints['session.check'].path && problem.status === 401;
    return isSessionCheck ? { isauthenticated: false, ...body } : body;
  },
};

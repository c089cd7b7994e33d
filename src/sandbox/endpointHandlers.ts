import type { EndpointHandlers } from './endpointCall.ts';
import { createBuildHandlers } from './routes/builds.ts';
import { createCustomDataHandlers } from './routes/customData.ts';
import { createDatamodelHandlers } from './routes/datamodels.ts';
import { createDatasetHandlers } from './routes/datasets.ts';
import { createExtractRuleHandlers } from './routes/extractRules.ts';
import { createLiveRuleHandlers } from './routes/liveRules.ts';
import { createRelationHandlers } from './routes/relations.ts';
import { createGroupHandlers, createUserHandlers } from './routes/people.ts';
import { createSessionHandlers } from './routes/session.ts';
import { createTableHandlers } from './routes/tables.ts';
import { createViewpointHandlers } from './routes/viewpoints.ts';
import type { RouteServices } from './routeServices.ts';

/** Creates the handlers of all endpoints of the contract. */
export const createEndpointHandlers = (services: RouteServices): EndpointHandlers => ({
  ...createSessionHandlers(),
  ...createGroupHandlers(services),
  ...createUserHandlers(services),
  ...createExtractRuleHandlers(services),
  ...createLiveRuleHandlers(services),
  ...createDatamodelHandlers(services),
  ...createDatasetHandlers(services),
  ...createTableHandlers(services),
  ...createRelationHandlers(services),
  ...createBuildHandlers(services),
  ...createCustomDataHandlers(services),
  ...createViewpointHandlers(services),
});

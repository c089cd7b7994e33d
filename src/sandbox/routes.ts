import type { Handlers } from './call.ts';
import { buildRoutes } from './routes/builds.ts';
import { customDataRoutes } from './routes/customData.ts';
import { datamodelRoutes } from './routes/datamodels.ts';
import { datasetRoutes } from './routes/datasets.ts';
import { extractRuleRoutes } from './routes/extractRules.ts';
import { liveRuleRoutes } from './routes/liveRules.ts';
import { relationRoutes } from './routes/relations.ts';
import { groupRoutes, userRoutes } from './routes/people.ts';
import { sessionRoutes } from './routes/session.ts';
import { tableRoutes } from './routes/tables.ts';
import { viewpointRoutes } from './routes/viewpoints.ts';
import type { Services } from './services.ts';

/** A handler for every endpoint of the contract; the type makes the compiler see to it. */
export const createHandlers = (services: Services): Handlers => ({
  ...sessionRoutes(),
  ...groupRoutes(services),
  ...userRoutes(services),
  ...extractRuleRoutes(services),
  ...liveRuleRoutes(services),
  ...datamodelRoutes(services),
  ...datasetRoutes(services),
  ...tableRoutes(services),
  ...relationRoutes(services),
  ...buildRoutes(services),
  ...customDataRoutes(services),
  ...viewpointRoutes(services),
});

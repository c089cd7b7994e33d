import type { Localize } from '../../base/localize.ts';
import type { EndpointId } from '../../contract/endpoints.ts';
import { sessionLabels, groupLabels, userLabels } from '../resources/people.ts';
import { extractRuleLabels, liveRuleLabels } from '../resources/rules.ts';
import { datamodelLabels } from '../resources/datamodels.ts';
import { datasetLabels, tableLabels, relationLabels } from '../resources/datamodelParts.ts';
import { buildLabels } from '../resources/builds.ts';
import { customDataLabels } from '../resources/customData.ts';
import { viewpointLabels } from '../resources/viewpoints.ts';

const labels: Readonly<Record<EndpointId, (t: Localize) => string>> = {
  ...sessionLabels,
  ...groupLabels,
  ...userLabels,
  ...extractRuleLabels,
  ...liveRuleLabels,
  ...datamodelLabels,
  ...datasetLabels,
  ...tableLabels,
  ...relationLabels,
  ...buildLabels,
  ...customDataLabels,
  ...viewpointLabels,
};

/** The label of a request to an endpoint, as the subject of a sentence: `Loading the tables`. */
export const getRequestLabel = (t: Localize, endpoint: EndpointId): string => labels[endpoint](t);

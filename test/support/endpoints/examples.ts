import { type EndpointId, endpoints } from '../../../src/contract/endpoints.ts';
import type { WriteEndpointId } from '../../../src/changes/model/operation.ts';
import { buildExamples } from './builds.ts';
import { customDataExamples } from './customData.ts';
import { datamodelExamples } from './datamodels.ts';
import { datasetExamples } from './datasets.ts';
import type { Deviation, Example, WriteExample } from './example.ts';
import { extractRuleExamples } from './extractRules.ts';
import { liveRuleExamples } from './liveRules.ts';
import { peopleExamples } from './people.ts';
import { relationExamples } from './relations.ts';
import { sessionExamples } from './session.ts';
import { tableExamples } from './tables.ts';
import { viewpointExamples } from './viewpoints.ts';

/** The examples of all endpoints, from which tests are generated. */
const allExamples: Readonly<Record<EndpointId, Example>> & Readonly<Record<WriteEndpointId, WriteExample>> = {
  ...sessionExamples,
  ...peopleExamples,
  ...extractRuleExamples,
  ...liveRuleExamples,
  ...datamodelExamples,
  ...datasetExamples,
  ...tableExamples,
  ...relationExamples,
  ...buildExamples,
  ...customDataExamples,
  ...viewpointExamples,
};

export const endpointIds = Object.keys(endpoints) as EndpointId[];

export const getExample = (id: EndpointId): Example => allExamples[id];
export const getWriteExample = (id: WriteEndpointId): WriteExample => allExamples[id];

/** All deviations from the vendor's contract, each once, in the order of the endpoints. */
export const deviations: readonly Deviation[] = [
  ...new Set(endpointIds.flatMap((id) => getExample(id).deviations ?? [])),
];

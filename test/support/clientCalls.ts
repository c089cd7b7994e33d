import type { ApiResponse } from '../../src/client/apiResponse.ts';
import type { PlatformClient } from '../../src/client/platformClient.ts';
import type { EndpointId } from '../../src/contract/endpoints.ts';
import type { CallArguments } from './endpoints/example.ts';
import { endpointIds, getExample } from './endpoints/examples.ts';

export const defaultCallArguments: CallArguments = {
  datamodelId: 'model-1',
  datasetId: 'dataset-1',
  tableId: 'table-1',
  relationId: 'relation-1',
  columnId: 'column-1',
  buildId: 'build-1',
  ruleId: 'rule-1',
  viewpointId: 'viewpoint-1',
  server: 'LocalHost',
  elasticube: 'Retail',
  title: 'Support',
  user: 'user-1',
};

type Calls = Readonly<Record<EndpointId, (signal?: AbortSignal) => Promise<ApiResponse<unknown>>>>;

/** Creates a function for each endpoint that calls its client method as in the endpoint's example. */
export const createClientCalls = (
  client: PlatformClient,
  args: CallArguments = defaultCallArguments,
): Calls =>
  Object.fromEntries(
    endpointIds.map((id) => [id, (signal?: AbortSignal) => getExample(id).call(client, args, signal)]),
  ) as unknown as Calls;
